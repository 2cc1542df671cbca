//! The conversation with an editor: what it asks is answered in turn, and problems are sent when it
//! pauses.

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting,
    GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionProviderCapability,
    CompletionOptions, CompletionResponse, DocumentHighlight, DocumentHighlightKind,
    DocumentSymbol, DocumentSymbolResponse, GotoDefinitionResponse, HoverProviderCapability,
    InitializeParams, InitializeResult, Location, OneOf, PrepareRenameResponse,
    PublishDiagnosticsParams, RenameOptions, ServerCapabilities, ServerInfo, SymbolKind,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
    WorkDoneProgressOptions,
};
use paidia_gdl::Span;

use crate::documents::{Document, Documents};
use crate::names::{Kind, Place};
use crate::places::Unit;
use crate::{completion, hover, problems, renaming};

/// Why the server ended other than by the editor's wish.
pub type ServeError = Box<dyn std::error::Error + Send + Sync>;

/// Serves the editor on standard input and output until it says that it leaves.
///
/// # Errors
/// If it breaks off, or speaks something else than the protocol.
pub fn serve_stdio() -> Result<(), ServeError> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The writing thread ends when nothing can be sent any more.
    drop(connection);
    served?;
    threads.join()?;
    Ok(())
}

/// Serves the editor at the other end of a connection.
///
/// # Errors
/// If it breaks off, or speaks something else than the protocol.
pub fn serve(connection: &Connection) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let general = params.capabilities.general.unwrap_or_default();
    let unit = Unit::agreed(general.position_encodings.as_deref());
    let result = InitializeResult {
        capabilities: capabilities(unit),
        server_info: Some(ServerInfo {
            name: "paidia".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let mut server = Server {
        documents: Documents::new(unit),
        changed: Vec::new(),
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let response = server.answer(request);
                connection.sender.send(response.into())?;
            }
            Message::Notification(notification) => server.take(notification),
            Message::Response(_) => {}
        }
        // While more is typed, what was typed before need not be checked.
        if connection.receiver.is_empty() {
            for notification in server.news() {
                connection.sender.send(notification.into())?;
            }
        }
    }
    Ok(())
}

fn capabilities(unit: Unit) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(unit.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec!["(".to_owned(), "?".to_owned()]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        ..ServerCapabilities::default()
    }
}

struct Server {
    documents: Documents,
    /// Documents whose problems are to be sent.
    changed: Vec<Uri>,
}

impl Server {
    fn take(&mut self, message: Notification) {
        match message.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(params) = params_of::<DidOpenTextDocument>(message) {
                    let opened = params.text_document;
                    self.changed.push(opened.uri.clone());
                    self.documents.open(opened.uri, opened.version, opened.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(params) = params_of::<DidChangeTextDocument>(message) {
                    let document = params.text_document;
                    let changes = params.content_changes;
                    self.documents
                        .change(&document.uri, document.version, changes);
                    self.changed.push(document.uri);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(params) = params_of::<DidCloseTextDocument>(message) {
                    self.documents.close(&params.text_document.uri);
                    self.changed.push(params.text_document.uri);
                }
            }
            _ => {}
        }
    }

    /// The problems of documents that changed, as messages.
    fn news(&mut self) -> Vec<Notification> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_by(|left, right| left.as_str().cmp(right.as_str()));
        changed.dedup_by(|left, right| left.as_str() == right.as_str());
        let news = changed.into_iter().map(|uri| {
            let (version, diagnostics) = match self.documents.get(&uri) {
                Ok(document) => (Some(document.version), problems::diagnostics(document)),
                // A closed document has no problems any more.
                Err(_) => (None, Vec::new()),
            };
            let params = PublishDiagnosticsParams::new(uri, diagnostics, version);
            Notification::new(PublishDiagnostics::METHOD.to_owned(), params)
        });
        news.collect()
    }

    fn answer(&mut self, request: Request) -> Response {
        match request.method.as_str() {
            HoverRequest::METHOD => answered::<HoverRequest>(request, |params| {
                let (document, offset) = self.at(&params.text_document_position_params)?;
                Ok(hover::hover(document, offset))
            }),
            Completion::METHOD => answered::<Completion>(request, |params| {
                let (document, offset) = self.at(&params.text_document_position)?;
                let items = completion::completions(document, offset);
                Ok(Some(CompletionResponse::Array(items)))
            }),
            GotoDefinition::METHOD => answered::<GotoDefinition>(request, |params| {
                let places = self.places(&params.text_document_position_params, true)?;
                Ok(Some(GotoDefinitionResponse::Array(places)))
            }),
            References::METHOD => answered::<References>(request, |params| {
                Ok(Some(self.places(&params.text_document_position, false)?))
            }),
            DocumentHighlightRequest::METHOD => {
                answered::<DocumentHighlightRequest>(request, |params| {
                    let places = self.places(&params.text_document_position_params, false)?;
                    let marks = places.into_iter().map(|place| DocumentHighlight {
                        range: place.range,
                        kind: Some(DocumentHighlightKind::TEXT),
                    });
                    Ok(Some(marks.collect()))
                })
            }
            DocumentSymbolRequest::METHOD => answered::<DocumentSymbolRequest>(request, |params| {
                let document = self.documents.get(&params.text_document.uri)?;
                Ok(Some(DocumentSymbolResponse::Nested(outline(document))))
            }),
            PrepareRenameRequest::METHOD => answered::<PrepareRenameRequest>(request, |params| {
                let (document, offset) = self.at(&params)?;
                let place = renaming::renamable(&document.names(), offset);
                let range = place.map(|place| document.lines.range(&document.text, place.span));
                Ok(range.map(PrepareRenameResponse::Range))
            }),
            Rename::METHOD => answered::<Rename>(request, |params| {
                let (document, offset) = self.at(&params.text_document_position)?;
                renaming::rename(document, offset, &params.new_name).map(Some)
            }),
            Formatting::METHOD => answered::<Formatting>(request, |params| {
                let document = self.documents.get(&params.text_document.uri)?;
                formatted(document).map(Some)
            }),
            CodeActionRequest::METHOD => answered::<CodeActionRequest>(request, |params| {
                let document = self.documents.get(&params.text_document.uri)?;
                let fixes = problems::fixes(document, params.range).into_iter();
                Ok(Some(fixes.map(CodeActionOrCommand::CodeAction).collect()))
            }),
            method => {
                let message = format!("there is no request `{method}` here");
                Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }

    /// A document, and the byte of a place in it.
    fn at(&mut self, place: &TextDocumentPositionParams) -> Result<(&mut Document, usize), String> {
        let document = self.documents.get(&place.text_document.uri)?;
        let offset = document.lines.offset(&document.text, place.position);
        Ok((document, offset))
    }

    /// Where the name at a place is defined, or all places where it stands.
    fn places(
        &mut self,
        place: &TextDocumentPositionParams,
        defining: bool,
    ) -> Result<Vec<Location>, String> {
        let (document, offset) = self.at(place)?;
        let names = document.names();
        let Some(found) = names.at(offset) else {
            return Ok(Vec::new());
        };
        let places = match defining {
            true => names.definitions(found.name),
            false => names.places_of(found.name).copied().collect(),
        };
        let location = |place: &Place| {
            let range = document.lines.range(&document.text, place.span);
            Location::new(document.uri.clone(), range)
        };
        Ok(places.iter().map(location).collect())
    }
}

/// Answers a request by its parameters; `work` says in words why it cannot.
fn answered<R: lsp_types::request::Request>(
    request: Request,
    work: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Response {
    match serde_json::from_value::<R::Params>(request.params) {
        Err(error) => Response::new_err(
            request.id,
            ErrorCode::InvalidParams as i32,
            error.to_string(),
        ),
        Ok(params) => match work(params) {
            Ok(result) => Response::new_ok(request.id, result),
            Err(why) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, why),
        },
    }
}

/// The parameters of a notification; one that is damaged is passed over, as the protocol has it.
fn params_of<N: lsp_types::notification::Notification>(message: Notification) -> Option<N::Params> {
    serde_json::from_value(message.params).ok()
}

/// The edit that brings a document into its normal form.
fn formatted(document: &Document) -> Result<Vec<TextEdit>, String> {
    let text = document.rules().normal_form(None);
    let text = text.map_err(|error| error.sentence())?;
    if text == document.text {
        return Ok(Vec::new());
    }
    let all = Span::new(0, document.text.len());
    Ok(vec![TextEdit::new(
        document.lines.range(&document.text, all),
        text,
    )])
}

/// The relations, fluents and sprites of a document, each where it is first defined.
fn outline(document: &mut Document) -> Vec<DocumentSymbol> {
    let names = document.names();
    let mut listed = vec![false; names.all.len()];
    let mut found = Vec::new();
    for place in names.places.iter().filter(|place| place.defines) {
        let name = &names.all[place.name];
        if name.kind == Kind::Keyword || std::mem::replace(&mut listed[place.name], true) {
            continue;
        }
        let range = |span| document.lines.range(&document.text, span);
        #[expect(deprecated, reason = "the field has no default, so it must be named")]
        found.push(DocumentSymbol {
            name: hover::signature(name),
            detail: Some(hover::what(name)),
            kind: match name.kind {
                Kind::Relation => SymbolKind::FUNCTION,
                _ if name.uses.role => SymbolKind::ENUM_MEMBER,
                _ => SymbolKind::FIELD,
            },
            tags: None,
            deprecated: None,
            range: range(place.within),
            selection_range: range(place.span),
            children: None,
        });
    }
    found
}
