//! Lines of pages, as wide as documents are.

/// The widest line of a document, in characters.
const WIDTH: usize = 120;

/// Breaks the lines of a page that are too wide at spaces; what continues an item of a list is
/// indented. Rows of tables and headings stay, because a break would end them.
pub(super) fn wrapped(page: &str) -> String {
    page.lines().map(|line| broken(line) + "\n").collect()
}

fn broken(line: &str) -> String {
    if line.starts_with('|') || line.starts_with('#') {
        return line.to_owned();
    }
    let indent = if line.starts_with("- ") { "  " } else { "" };
    let (mut text, mut width) = (String::new(), 0);
    for word in line.split(' ') {
        let more = word.chars().count();
        if width > 0 && width + 1 + more > WIDTH {
            text += "\n";
            text += indent;
            width = indent.len();
        } else if !text.is_empty() {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += more;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_items_continue_below_their_text_and_tables_stay() {
        let words = ["word"; 40].join(" ");
        let page = format!("- {words}\n| {words} |\n\n# {words}\n{words}\n");
        let found = wrapped(&page);
        let lines: Vec<&str> = found.lines().collect();
        assert!(lines[0].starts_with("- word") && lines[0].len() <= WIDTH, "{found}");
        assert!(lines[1].starts_with("  word") && lines[1].len() <= WIDTH, "{found}");
        assert!(lines[2].starts_with("| ") && lines[2].len() > WIDTH, "{found}");
        assert!(lines[3].is_empty() && lines[4].starts_with("# "), "{found}");
        assert!(lines[5].starts_with("word") && lines[6].starts_with("word"), "{found}");
        let one = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(one(&found), one(&page), "no word is lost");
    }
}
