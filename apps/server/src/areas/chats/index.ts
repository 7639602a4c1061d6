import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Chats with visitors. */
export const chats: Area = { name: 'chats', records: [records(LiveAssist)] }
