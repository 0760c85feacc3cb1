//! The documentation as a site: the chapters are copied with links that work there, and mdBook
//! renders them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::links;
use crate::cargo::{cargo, succeeds};

/// List of the chapters.
pub(super) const SUMMARY: &str = "docs/SUMMARY.md";

/// Folders of the copied chapters and of the site, as book.toml names them.
const SOURCE: &str = "target/book-source";
const SITE: &str = "target/book";

/// Folder of an mdBook that this program installed.
const TOOLS: &str = "target/tools";

/// The mdBook to install: a release that compiles with the toolchain of the workspace.
const MDBOOK: [&str; 6] =
    ["mdbook", "--version", "0.4.52", "--no-default-features", "--features", "search"];

/// Ends of the names of files that a page shows and that are copied beside it.
const IMAGES: [&str; 3] = ["png", "svg", "jpg"];

/// Copies the chapters, builds the site and checks its links. Skipped, with a word about it, where
/// mdBook is missing and cannot be installed.
pub(super) fn build(root: &Path) -> bool {
    if let Err(error) = stage(root) {
        println!("book: {SOURCE}: {error}");
        return false;
    }
    let Some(mdbook) = mdbook(root) else {
        println!(
            "book: SKIPPED: mdbook is not installed and could not be (cargo install {})",
            MDBOOK.join(" ")
        );
        return true;
    };
    // Pages of an earlier build must not satisfy links of this one.
    let _ = fs::remove_dir_all(root.join(SITE));
    if !succeeds(Command::new(mdbook).arg("build").current_dir(root)) {
        return false;
    }
    let broken = links::broken(&root.join(SITE));
    for link in &broken {
        println!("book: {link}");
    }
    println!("book: {} broken links on the site in {SITE}", broken.len());
    broken.is_empty()
}

/// Returns a working mdBook: the user's, or one in the target folder, installed on first use.
fn mdbook(root: &Path) -> Option<PathBuf> {
    let works = |path: &PathBuf| {
        let answer = Command::new(path).arg("--version").output();
        answer.is_ok_and(|output| output.status.success())
    };
    let own = root.join(TOOLS).join("bin/mdbook");
    let known = [PathBuf::from("mdbook"), own.clone()].into_iter().find(works);
    if known.is_some() {
        return known;
    }
    println!("book: installing mdbook into {TOOLS}");
    let mut install = cargo(root);
    install
        .args(["install", "--debug", "--quiet", "--locked", "--root"])
        .arg(root.join(TOOLS))
        .args(MDBOOK);
    succeeds(&mut install);
    works(&own).then_some(own)
}

/// Copies every chapter and its images to [`SOURCE`], at the paths that they have in the
/// repository.
fn stage(root: &Path) -> io::Result<()> {
    let source = root.join(SOURCE);
    let _ = fs::remove_dir_all(&source);
    let summary = fs::read_to_string(root.join(SUMMARY))?;
    let book = Book {
        chapters: targets(&summary).map(|link| links::resolve(SUMMARY, link)).collect(),
        repository: repository(root)?,
    };
    let write = |path: &str, text: &[u8]| {
        let path = source.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&source))?;
        fs::write(path, text)
    };
    write("SUMMARY.md", book.rewritten(root, SUMMARY, "SUMMARY.md", &summary).0.as_bytes())?;
    for chapter in &book.chapters {
        let text = fs::read_to_string(root.join(chapter))?;
        let (text, images) = book.rewritten(root, chapter, &page(chapter), &text);
        write(&page(chapter), text.as_bytes())?;
        for image in images {
            write(&image, &fs::read(root.join(&image))?)?;
        }
    }
    Ok(())
}

/// Returns the address of the repository that Cargo.toml states.
fn repository(root: &Path) -> io::Result<String> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let stated = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
    let stated = stated.map(|rest| rest.trim_end_matches('"').to_owned());
    stated.ok_or_else(|| io::Error::other("Cargo.toml states no repository"))
}

/// Returns the path of a chapter on the site, where the page of a folder is its index.
fn page(chapter: &str) -> String {
    match chapter.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => chapter.to_owned(),
    }
}

/// The chapters of the site, as paths in the repository, and where everything else can be read.
struct Book {
    chapters: BTreeSet<String>,
    repository: String,
}

impl Book {
    /// Returns the text of the file `from` for the page `to`, and the images that it shows. A link
    /// to a chapter leads to its page, any other into the repository.
    fn rewritten(
        &self,
        root: &Path,
        from: &str,
        to: &str,
        text: &str,
    ) -> (String, BTreeSet<String>) {
        let mut images = BTreeSet::new();
        let rewritten = links::map(text, |link| {
            let (path, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
            let target = links::resolve(from, path);
            if self.chapters.contains(&target) {
                return links::relative(to, &page(&target)) + anchor;
            }
            let end = target.rsplit('.').next().unwrap_or_default();
            if IMAGES.contains(&end) {
                images.insert(target.clone());
                return links::relative(to, &target);
            }
            let kind = if root.join(&target).is_dir() { "tree" } else { "blob" };
            format!("{}/{kind}/main/{target}{anchor}", self.repository)
        });
        (rewritten, images)
    }
}

/// Returns the targets of the relative links of a text.
pub(super) fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(links::of_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_chapters_images_or_the_repository() {
        let chapters = ["README.md", "docs/README.md", "docs/maths/a.md"].map(str::to_owned);
        let repository = "https://example.org/f".to_owned();
        let book = Book { chapters: chapters.into(), repository };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "[a](../README.md#top) [b](README.md) [c](maths/a.md#x) ![d](images/e.png)\n\
                    [f](../src) [g](../Cargo.toml) [h](https://x.y) [i](#here)\n\
                    ```\n[j](gone.md)\n```\n";
        let (text, images) = book.rewritten(root, "docs/README.md", "docs/index.md", text);
        assert_eq!(
            text,
            "[a](../index.md#top) [b](index.md) [c](maths/a.md#x) ![d](images/e.png)\n\
             [f](https://example.org/f/tree/main/src) \
             [g](https://example.org/f/blob/main/Cargo.toml) [h](https://x.y) [i](#here)\n\
             ```\n[j](gone.md)\n```\n"
        );
        assert_eq!(images, BTreeSet::from(["docs/images/e.png".to_owned()]));
    }

    #[test]
    fn the_summary_names_chapters_that_exist() {
        let root = crate::root();
        let summary = fs::read_to_string(root.join(SUMMARY)).unwrap();
        let chapters: Vec<String> =
            targets(&summary).map(|link| links::resolve(SUMMARY, link)).collect();
        assert!(chapters.contains(&"README.md".to_owned()) && chapters.len() > 40);
        for chapter in chapters {
            assert!(root.join(&chapter).exists(), "{chapter}");
        }
    }
}
