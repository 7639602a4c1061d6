/** The messengers that the house speaks with. */
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import type { ChannelAdapter } from './adapter.ts'
import { telegram } from './telegram.ts'

export const adapters: Readonly<Record<ChannelKind, ChannelAdapter>> = { telegram }
