//! Registering the values of a field that comes to be unique. Whoever writes an entry registers its values from the moment that the field is; those of the
//! entries that were there are added bit by bit.

use cms_domain::{
    access::to,
    collection::Collection,
    event::Event,
    field::{Field, Register},
    id::{CollectionId, EntryId, FieldId},
};
use cms_frame::{
    Code, Cx, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
};
use cms_storage::Repeated;
use serde::{Deserialize, Serialize};

use super::{clearing, documents::known_entries, values};

/// How many entries' values one transaction registers: a writer waits for less than a tenth of a second.
const BATCH: usize = 200;

/// Wanted: every value of a field in its register.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ValuesRegistered {
    collection: CollectionId,
    register: FieldId,
}

impl ValuesRegistered {
    /// The field, if its values are still to be registered.
    fn field_of<'a>(&self, collection: &'a Collection) -> Option<&'a Field> {
        let wanted = Register { id: self.register, complete: false };
        collection.fields.iter().find(|field| field.unique && field.register == wanted)
    }
}

impl Order for ValuesRegistered {
    const KIND: &'static str = "content.register_unique";
    const TITLE: &'static str = "Register unique values";
}

/// Asks for the values of a field that came to be unique to be registered.
pub(super) fn registered(collection: CollectionId, register: FieldId) -> Wanted<ValuesRegistered> {
    Wanted::new(ValuesRegistered { collection, register }).only(register)
}

/// How far it is.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Registered {
    last: Option<EntryId>,
    /// The last entry that was there at the beginning.
    until: Option<EntryId>,
    /// Why the field is not unique after all.
    refused: Option<String>,
    /// Whether it is none any more.
    #[serde(default)]
    given_up: bool,
}

/// Registers values.
pub(super) struct RegisterUnique;

impl Job for RegisterUnique {
    type Order = ValuesRegistered;
    type Checkpoint = Registered;

    async fn step(&self, work: Work<ValuesRegistered, Registered>, cx: &mut Cx<'_>) -> Result<Stride<Registered>, Error> {
        if let Some(refused) = &work.at.refused {
            if work.at.given_up {
                return Err(Error::with(Code::FieldHasValues, refused.clone()));
            }
            give_up(cx, &work.order).await?;
            return Ok(Stride::to(Registered { given_up: true, ..work.at }, work.done));
        }
        let Some(batch) = register(cx, &work.order, work.at).await? else { return Ok(Stride::end(work.done)) };
        let note = format!("{}.{}", batch.collection.slug, batch.field.slug);
        let done = work.done + batch.entries;
        if batch.repeated.is_empty() {
            return Ok(batch.next.map_or_else(|| Stride::end(done).of(done), |next| Stride::to(next, done)).note(note));
        }
        // What this step registered goes with the rest of the register, once nobody registers values any more: that is another step.
        let refused = format!("entries have the same value in the field `{note}`, which is not unique: change them, and ask for it again");
        let mut stride = Stride::to(Registered { refused: Some(refused), ..Registered::default() }, done).note(note);
        for Repeated { entry, owner } in batch.repeated {
            stride.failed(entry.to_string(), values::repeats(owner)).of(entry);
        }
        Ok(stride)
    }
}

/// What was registered of a field.
struct Batch {
    collection: Collection,
    field: Field,
    /// Where to go on.
    next: Option<Registered>,
    entries: u64,
    repeated: Vec<Repeated>,
}

/// Registers the values of the next entries. None: nobody wants them registered any more.
async fn register(cx: &mut Cx<'_>, order: &ValuesRegistered, at: Registered) -> Result<Option<Batch>, Error> {
    let permit = cx.permit(to::ManageSchema)?;
    let tx = cx.tx().await?;
    // Whoever writes entries meanwhile registers their values, too.
    tx.collections().hold(order.collection).await?;
    let Some(collection) = tx.reader().collections().by_id(order.collection).await? else { return Ok(None) };
    let Some(mut field) = order.field_of(&collection).cloned() else { return Ok(None) };
    let until = if at.until.is_some() { at.until } else { tx.reader().entries().last_id_of(collection.id).await? };
    let (progress, repeated) = tx.entries().register_batch(&permit, &collection, &field, at.last, BATCH).await?;
    let next = progress.next(BATCH, until).map(|last| Registered { last: Some(last), until, ..Registered::default() });
    if next.is_none() && repeated.is_empty() {
        field.register.complete = true;
        tx.collections().update_field(&permit, collection.id, &field).await?;
        cx.emit(Event::Schema { collection: collection.id });
    }
    Ok(Some(Batch { collection, field, next, entries: progress.entries, repeated }))
}

/// Makes a field what it was before it came to be unique. Nobody writes an entry meanwhile: whoever found the field to be unique has registered its value
/// by then, and so what is cleared is all there is.
async fn give_up(cx: &mut Cx<'_>, order: &ValuesRegistered) -> Result<(), Error> {
    let permit = cx.permit(to::ManageSchema)?;
    let tx = cx.tx().await?;
    tx.collections().hold_alone(order.collection).await?;
    let Some(collection) = tx.reader().collections().by_id(order.collection).await? else { return Ok(()) };
    let Some(field) = order.field_of(&collection) else { return Ok(()) };
    let field = Field { unique: false, ..field.clone() };
    tx.collections().update_field(&permit, collection.id, &field).await?;
    cx.emit(Event::Schema { collection: collection.id });
    cx.enqueue(clearing::register(order.register)).await.map(drop)
}

/// Registers the values of a field that comes to be unique: those of the first entries at once, the others later. Refused when two of the first have the same;
/// when others have, the field is not unique after all, and the job says why.
pub(super) async fn begin(cx: &mut Cx<'_>, collection: &Collection, field: &Field) -> Result<(), Error> {
    let order = ValuesRegistered { collection: collection.id, register: field.register.id };
    let Some(batch) = register(cx, &order, Registered::default()).await? else { return Ok(()) };
    if !batch.repeated.is_empty() {
        let message = format!("entries have the same value in the field `{}`", field.slug);
        return values::refuse(message, batch.repeated.into_iter().map(values::Misfit::from).collect());
    }
    if let Some(next) = batch.next {
        let wanted = registered(collection.id, order.register).of(known_entries(cx, collection).await?);
        cx.enqueue_rest::<RegisterUnique>(wanted, &next, batch.entries).await?;
    }
    Ok(())
}
