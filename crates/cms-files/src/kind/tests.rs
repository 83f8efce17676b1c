//! What bytes are taken for.

use proptest::prelude::*;

use super::*;

fn media_type(head: &[u8]) -> &'static str {
    Kind::of(head).map_or("-", |kind| kind.media_type())
}

#[test]
fn pictures_films_and_sound_are_known_by_their_bytes() {
    for (head, expected) in [
        (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
        (b"GIF89a\x01\0\x01\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "image/avif"),
        (b"\0\0\x01\0\x01\0\x10\x10\0\0", "image/x-icon"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "video/mp4"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "video/quicktime"),
        (
            b"\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm",
            "video/webm",
        ),
        (b"ID3\x03\0\0\0\0\0\0", "audio/mpeg"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis", "audio/ogg"),
        (b"\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom", "audio/mp4"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"),
        (b"%PDF-1.4\nplain text so far", "application/pdf"),
        (b"wOF2\0\x01\0\0\0\0", "font/woff2"),
    ] {
        // The container of WebM is told by what is somewhere in its first bytes.
        let mut head = head.to_vec();
        if expected == "video/webm" {
            head.resize(512, 0);
        }
        assert_eq!(media_type(&head), expected, "{head:?}");
    }
}

#[test]
fn pages_and_scripts_are_seen_whatever_stands_before_them() {
    for (text, expected) in [
        ("<!DOCTYPE html><html>", "text/html"),
        ("  \n\t<HTML lang=en>", "text/html"),
        ("\u{feff}<html>", "text/html"),
        ("<!-- a comment --><script>alert(1)</script>", "text/html"),
        ("<!-- a comment that does not end", "text/html"),
        ("<script src=x>", "text/html"),
        ("<img src=x onerror=alert(1)>", "text/html"),
        ("<iframe>", "text/html"),
        ("<!doctype HTML><custom-element>", "text/html"),
        ("\0\x01<html>", "text/html"),
        ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">", "application/xhtml+xml"),
        ("<html xmlns=\"http://www.w3.org/1999/xhtml\">", "application/xhtml+xml"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">", "image/svg+xml"),
        ("<?xml version=\"1.0\"?>\n<!-- x -->\n<!DOCTYPE svg PUBLIC \"a\" \"b\" [<!ENTITY a \"b>\">]>\n<svg:svg>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?><feed>", "application/xml"),
        ("<?php echo 1;", "application/x-httpd-php"),
        ("#!/bin/sh\nrm -rf /", "application/x-sh"),
    ] {
        assert_eq!(media_type(text.as_bytes()), expected, "{text:?}");
        let sixteen: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(media_type(&sixteen), expected, "{text:?} in UTF-16");
    }
    assert_eq!(media_type(b"<html>\xe9t\xe9"), "text/html", "in Latin-1");
}

#[test]
fn what_acts_is_never_taken_and_never_shown() {
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(64, 0);
    for head in [
        &b"<html>"[..],
        b"<script>",
        b"#!/usr/bin/env python",
        b"MZ\x90\0\x03\0\0\0",
        &elf,
        b"\0asm\x01\0\0\0",
        b"FWS\x0a\0\0\0\0",
        b"<?php",
    ] {
        let kind = Kind::of(head).expect("known");
        assert!(kind.is_never_taken() && !kind.is_inline(), "{kind:?}");
    }
    for known in KNOWN {
        let (kind, media_type) = (Kind(known), known.media_type);
        assert!(!(kind.is_inline() && kind.is_never_taken()));
        if kind.is_inline() {
            assert!(
                ["image/", "video/", "audio/"].iter().any(|of| media_type.starts_with(of)) && media_type != "image/svg+xml",
                "{media_type}"
            );
        }
    }
}

#[test]
fn text_is_text_though_it_begins_like_something_else() {
    for text in ["MZ is a newspaper", "BM is a company", "plain", "name;age\nJürgen;5\n", "a < b", "{\"a\":1}"] {
        assert_eq!(media_type(text.as_bytes()), "text/plain", "{text:?}");
    }
    let long = "é".repeat(HEAD_BYTES);
    assert_eq!(media_type(&long.as_bytes()[..HEAD_BYTES - 1]), "text/plain", "a character that is cut off");
    assert_eq!(media_type(b""), "-");
    assert_eq!(media_type(b"\0\x01\x02\x03nothing that anybody knows"), "-");
}

#[test]
fn other_names_of_a_type_agree_with_it() {
    let jpeg = Kind::of(b"\xff\xd8\xff\xe0\0\x10JFIF\0").expect("known");
    for declared in ["image/jpeg", "IMAGE/JPG", "image/pjpeg", "image/jpeg; charset=binary", "", "application/octet-stream"] {
        assert!(jpeg.agrees_with(declared), "{declared}");
    }
    for declared in ["image/png", "text/html", "image/", "nonsense", "application/pdf"] {
        assert!(!jpeg.agrees_with(declared), "{declared}");
    }
}

#[test]
fn a_sender_is_believed_where_bytes_leave_it_open() {
    let text = Kind::of(b"a;b\n1;2\n").expect("known");
    assert_eq!(text.as_declared("text/csv; charset=utf-8").media_type(), "text/csv");
    assert_eq!(text.as_declared("text/csv").extension(), "csv");
    for act in ["text/javascript", "application/javascript", "text/html", "application/x-sh", "text/css"] {
        assert!(!text.agrees_with(act), "{act}");
        assert_eq!(text.as_declared(act), text, "{act}");
    }
    let zip = Kind::of(b"PK\x03\x04\x14\0\0\0\0\0").expect("known");
    assert_eq!(zip.as_declared("application/vnd.oasis.opendocument.text").extension(), "odt");
    assert!(!zip.agrees_with("application/java-archive"));
    let png = Kind::of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").expect("known");
    assert_eq!(png.as_declared("image/jpeg"), png);
}

#[test]
fn each_name_is_of_one_kind() {
    let mut names: Vec<&str> = KNOWN.iter().flat_map(|known| known.also.iter().copied().chain([known.media_type])).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(KNOWN.iter().all(|known| !known.extensions.is_empty()));
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(head in proptest::collection::vec(any::<u8>(), 0..600)) {
        let kind = Kind::of(&head);
        prop_assert!(kind.is_none_or(|kind| kind.media_type().contains('/')));
    }

    #[test]
    fn no_markup_is_too_strange(text in "[<>!?\\[\\]\\-a-z :=\"/\u{feff}é\0]{0,80}", begin in 0..6_usize) {
        let begin = ["", "<!--", "<?xml ", "<!DOCTYPE ", "<svg ", "\u{fffe}"][begin];
        Kind::of(format!("{begin}{text}").as_bytes());
        Kind::of(&[&[0xff, 0xfe], text.as_bytes()].concat());
    }

    #[test]
    fn a_page_is_seen_behind_any_white_space_and_comment(space in "[ \n\r\t]{0,20}", comment in "[a-z ]{0,40}") {
        let page = format!("{space}<!--{comment}-->{space}<html><body>");
        prop_assert_eq!(media_type(page.as_bytes()), "text/html");
    }
}
