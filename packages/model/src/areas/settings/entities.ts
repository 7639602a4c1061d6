import { UserSetting } from './userSetting.ts'

/** Entities of this area. */
export const entities = [UserSetting] as const
