//! Relative links, in the documents and on the pages of the site.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Pages whose links are not checked: the one on which mdBook joins all others under anchors of its
/// own, and the one that a server shows for a wrong address, whose links start at the server.
const UNCHECKED: [&str; 2] = ["print.html", "404.html"];

/// Returns a text with every relative link outside code blocks replaced.
pub(super) fn map(text: &str, mut replace: impl FnMut(&str) -> String) -> String {
    let mut in_code = false;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let mut rest = line;
        let found: Vec<&str> = if in_code { Vec::new() } else { of_line(line).collect() };
        for link in found {
            let mark = format!("]({link}");
            let at = rest.find(&mark).expect("the link is on the line") + "](".len();
            out.push_str(&rest[..at]);
            out.push_str(&replace(link));
            rest = &rest[at + link.len()..];
        }
        out.push_str(rest);
    }
    out
}

/// Returns the targets of the relative links on a line, in order; not those within the page.
pub(super) fn of_line(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1);
    let targets = targets.map(|part| part.split([')', ' ']).next().unwrap_or_default());
    targets.filter(|target| !is_remote(target) && !target.starts_with('#') && !target.is_empty())
}

fn is_remote(target: &str) -> bool {
    ["://", "mailto:", "data:", "javascript:"].iter().any(|mark| target.contains(mark))
}

/// Resolves a link of the file `from` to a path from the root.
pub(crate) fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Returns the link from the file `from` to the file `to`, both as paths from the root.
pub(super) fn relative(from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(|path| path.split('/').collect::<Vec<_>>());
    let folders = from.len().min(to.len()) - 1;
    let shared = (0..folders).take_while(|&at| from[at] == to[at]).count();
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns every relative link on the pages of a site that leads to no file or to no element.
pub(super) fn broken(site: &Path) -> Vec<String> {
    let mut pages = HashMap::new();
    for path in files(site) {
        let name = path.strip_prefix(site).unwrap_or(&path).display().to_string();
        let is_page = path.extension().is_some_and(|end| end == "html");
        let text =
            if is_page { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        pages.insert(name.replace('\\', "/"), text);
    }
    let mut broken = Vec::new();
    for (name, text) in &pages {
        let links = ["href=\"", "src=\""].into_iter().flat_map(|mark| attributes(text, mark));
        for link in links.filter(|link| !is_remote(link) && !link.starts_with("//")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = path.split('?').next().unwrap_or_default();
            let target = if path.is_empty() { name.clone() } else { resolve(name, path) };
            let shown = pages.get(&target);
            let has = |text: &String| {
                anchor.is_empty() || attributes(text, "id=\"").any(|id| id == anchor)
            };
            if !UNCHECKED.contains(&name.as_str()) && !shown.is_some_and(has) {
                broken.push(format!("{name}: the link `{link}` leads nowhere"));
            }
        }
    }
    broken.sort();
    broken.dedup();
    broken
}

/// Returns the values of an attribute, which `mark` opens.
fn attributes<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).filter_map(|rest| rest.split('"').next())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() { files(&path) } else { vec![path] }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_link_leads_back_to_its_target() {
        for (from, to) in [("a.md", "b/c.md"), ("b/a.md", "b/c.md"), ("x/y/a.md", "x/z/c.md")] {
            assert_eq!(resolve(from, &relative(from, to)), to);
        }
    }

    #[test]
    fn a_link_of_the_site_that_leads_nowhere_is_named() {
        let site = std::env::temp_dir().join(format!("fathom-site-{}", std::process::id()));
        fs::create_dir_all(site.join("a")).unwrap();
        let text = "<h1 id=\"top\"><a href=\"a/b.html#there\"><a href=\"gone.html\">\
                    <img src=\"c.png\">\
                    <a href=\"#top\"><a href=\"#gone\"><a href=\"https://x.y/z\">";
        fs::write(site.join("index.html"), text).unwrap();
        let other = "<p id=\"there\"><a href=\"../index.html#top\"><a href=\"../index.html#no\">";
        fs::write(site.join("a/b.html"), other).unwrap();
        let broken = broken(&site);
        fs::remove_dir_all(&site).unwrap();
        let links: Vec<&str> = broken.iter().filter_map(|link| link.split('`').nth(1)).collect();
        assert_eq!(links, ["../index.html#no", "#gone", "c.png", "gone.html"]);
    }
}
