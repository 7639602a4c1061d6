import { ChatChannel, ChatDomain, ChatGroup, ChatSuggestion } from './chatSettings.ts'
import {
  ChatFile,
  ChatMessage,
  ChatMessageFile,
  ChatMessageVersion,
  ChatNote,
  ChatVersionFile,
  LiveAssist,
  Visitor,
} from './liveAssist.ts'
import { OnlineDialog, OnlineFile, OnlineMessage, OnlineMessageFile } from './online.ts'

/** Entities of this area. */
export const entities = [
  ChatChannel,
  ChatDomain,
  ChatGroup,
  ChatSuggestion,
  Visitor,
  LiveAssist,
  ChatMessage,
  ChatNote,
  ChatFile,
  OnlineDialog,
  OnlineMessage,
  OnlineFile,
  OnlineMessageFile,
  ChatMessageFile,
  ChatMessageVersion,
  ChatVersionFile,
] as const
