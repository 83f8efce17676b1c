//! The admin application in a real browser: what people do in it, how it looks, and whether everybody can use it.

use std::process::Command;

use cms_tests::{Site, clients, repository, run};

/// Runs a file of browser tests over the built server. Pictures of the screens land in `target/screenshots`.
fn browse(file: &str) {
    if !clients() {
        return;
    }
    // The site is not used: it knows where the binary is, and builds it.
    let site = Site::sqlite();
    let command = site.command(&[]);
    let said = run(Command::new("node")
        .args(["--test", "--test-reporter=spec", file])
        .env("CMS_BINARY", command.get_program())
        .current_dir(repository().join("tests/browser")));
    assert!(said.contains("fail 0") && !said.contains("pass 0"), "{said}");
}

#[test]
fn a_site_is_set_up_and_people_get_in_and_no_further_than_they_may() {
    browse("journey.test.mjs");
}

#[test]
fn every_screen_passes_axe_in_light_and_dark_and_fits_on_a_phone() {
    browse("screens.test.mjs");
}

#[test]
fn screens_say_what_is_wrong_and_offer_another_try() {
    browse("states.test.mjs");
}

#[test]
fn the_application_begins_with_few_requests_and_says_when_it_cannot() {
    browse("start.test.mjs");
}

#[test]
fn people_find_their_way_through_lists_and_screens() {
    browse("lists.test.mjs");
}

#[test]
fn people_begin_at_the_dashboard_and_with_the_palette() {
    browse("home.test.mjs");
}

#[test]
fn entries_are_listed_found_and_taken_care_of() {
    browse("content.test.mjs");
}

#[test]
fn files_come_into_the_library_once_and_are_described_sorted_replaced_and_deleted() {
    browse("library.test.mjs");
}

#[test]
fn jobs_are_seen_and_stopped() {
    browse("jobs.test.mjs");
}

#[test]
fn content_comes_in_from_a_file_and_goes_out_as_one() {
    browse("transfer.test.mjs");
}

#[test]
fn what_is_written_is_never_lost_and_what_is_published_is_what_is_on_the_screen() {
    browse("editor.test.mjs");
}

#[test]
fn the_page_of_an_entry_follows_what_is_written_and_links_to_it_are_shared_and_revoked() {
    browse("preview.test.mjs");
}

#[test]
fn an_article_goes_all_the_way_with_a_mouse_a_keyboard_alone_and_on_a_phone() {
    browse("walk.test.mjs");
}

#[test]
fn a_content_model_is_made_and_changed_without_a_program() {
    browse("model.test.mjs");
}

#[test]
fn a_content_model_is_drawn_brought_in_from_a_file_and_used_in_code() {
    browse("asfile.test.mjs");
}

#[test]
fn publications_are_planned_on_a_board_and_in_a_calendar() {
    browse("planning.test.mjs");
}

#[test]
fn the_api_is_read_tried_and_taken_along_as_code() {
    browse("explorer.test.mjs");
}

#[test]
fn each_role_is_offered_what_the_server_lets_it_do() {
    browse("roles.test.mjs");
}

#[test]
fn letters_let_people_in() {
    browse("letters.test.mjs");
}

#[test]
fn an_administrator_sees_and_ends_what_somebody_holds() {
    browse("staff.test.mjs");
}

#[test]
fn owners_keep_their_address() {
    browse("refusal.test.mjs");
}

#[test]
fn accounts_at_providers_are_linked_used_and_unlinked() {
    browse("providers.test.mjs");
}

#[test]
fn behind_a_gateway_its_people_are_in_and_read_what_it_decides() {
    browse("gateway.test.mjs");
}

#[test]
fn accessibility_and_best_practices_are_as_good_as_lighthouse_knows() {
    browse("lighthouse.test.mjs");
}
