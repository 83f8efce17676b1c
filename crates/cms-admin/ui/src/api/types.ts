// Short names for shapes of the server's document.

import type { components, operations } from "./schema";

type Schemas = components["schemas"];

/** The account of whoever is signed in. */
export type Me = Schemas["AccountView"];
/** Something that a role may do, as in `users:manage`. */
export type Permission = Me["permissions"][number];
/** A role by its level: 10 subscriber, 20 contributor, 30 author, 40 editor, 50 admin. */
export type RoleLevel = Me["role"];
/** What a program may do, as in `content:read`. */
export type Scope = Schemas["ScopeView"]["scope"];

/** Whoever has just signed in. */
export type SignedIn = Schemas["SignedIn"];
/** A place where people can sign in. */
export type Provider = Schemas["ProviderView"];
/** Whom a link lets make an account. */
export type Invited = Schemas["Welcome"];

/** Options for the browser's own passkey dialogs, and what they answer, in the JSON of WebAuthn level 3. */
export type CreationOptions = Schemas["CreationOptions"];
export type RequestOptions = Schemas["RequestOptions"];
export type RegistrationCredential = Schemas["RegistrationCredential"];
export type SignInCredential = Schemas["SignInCredential"];

export type Passkey = Schemas["PasskeyView"];
export type Session = Schemas["SessionView"];
export type Connection = Schemas["ConnectionView"];
export type Token = Schemas["TokenView"];
export type Grant = Schemas["GrantView"];

export type User = Schemas["ListedUser"];
export type UserDetails = Schemas["UserDetails"];
/** Everything that opens the site to a user. */
export type UserAccess = Schemas["UserAccess"];
/** A sort of what opens the site to a user. */
export type AccessKind = NonNullable<NonNullable<NonNullable<operations["endUserAccess"]["requestBody"]>["content"]["application/json"]["kinds"]>>[number];
export type Invitation = Schemas["InvitationView"];
export type AllowedDomain = Schemas["AllowedDomainView"];
export type OAuthClient = Schemas["OAuthClientView"];
/** Something that the configuration asks of ways in, tokens and grants. */
export type Policy = Schemas["PolicyView"];
export type AuditLine = Schemas["AuditItem"];
/** Work that goes on beside requests. */
export type Job = Schemas["JobView"];
export type WatchedJobs = Schemas["WatchedJobs"];
/** What a server does again and again. */
export type Task = Schemas["TaskView"];

/** What somebody asks of a list again and again. */
export type SavedView = Schemas["ViewShown"];

/** A scope that an application asks for. */
export type AskedScope = Schemas["ScopeView"];
/** What an application sends with the browser. */
export type AuthorizationRequest = operations["describeAuthorization"]["parameters"]["query"];

/** A collection, as people model it. */
export type Collection = Schemas["CollectionView"];
/** A field of a collection. */
export type ContentField = Schemas["FieldView"];
export type Entry = Schemas["Item"];
/** An entry in the trash. */
export type TrashedEntry = Schemas["TrashedItem"];
export type EntryAuthor = Schemas["AuthorView"];
/** An entry in the list of all collections. */
export type AnyEntry = Schemas["AnyEntry"];
/** An entry after it was changed, and what names its state. */
export type ChangedEntry = Schemas["ItemAnswer"];
/** What happens to an entry at an instant. */
export type CalendarItem = Schemas["CalendarItem"];
export type CalendarKind = CalendarItem["kind"];
/** Something that is done to many entries. */
export type BulkChange = Schemas["BulkView"];
export type BulkOrder = Schemas["BulkContentBody"];
/** What a list of entries is asked for. */
export type EntryQuery = NonNullable<operations["listContent"]["parameters"]["query"]>;
/** A file of the library. */
export type MediaItem = Schemas["MediaShown"];
export type MediaFolder = Schemas["FolderShown"];
/** Where the bytes of a file go, or which item has them. */
export type UploadTarget = Schemas["UploadTarget"];
/** What a list of files is asked for. */
export type MediaQuery = NonNullable<operations["listMedia"]["parameters"]["query"]>;
export type MediaChange = NonNullable<operations["updateMedia"]["requestBody"]>["content"]["application/json"];
