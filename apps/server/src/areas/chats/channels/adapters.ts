/** Adapters of the supported messengers. */
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import type { ChannelAdapter } from './adapter.ts'
import { max } from './max.ts'
import { telegram } from './telegram.ts'
import { vk } from './vk.ts'
import { whatsapp } from './whatsapp.ts'

export const adapters: Readonly<Record<ChannelKind, ChannelAdapter>> = { max, telegram, vk, whatsapp }
