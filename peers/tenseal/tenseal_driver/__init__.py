"""TenSEAL's vectors as sessions of a driver."""
