import type { OnlineDialog } from '@ordinator/model/areas/chats/online'
import type { Expanded } from '@ordinator/model/client'

/** A dialogue with the relations for its screens. */
export type OpenDialog = Expanded<typeof OnlineDialog, 'user' | 'customer' | 'filial'>
