import type { OnlineDialog } from '@ordinator/model/areas/chats/online'
import type { Expanded } from '@ordinator/model/client'

/** A dialogue as its screens show it. */
export type OpenDialog = Expanded<typeof OnlineDialog, 'user' | 'customer' | 'filial'>
