import { SharedView } from './sharedView.ts'
import { UserSetting } from './userSetting.ts'

/** Entities of this area. */
export const entities = [UserSetting, SharedView] as const
