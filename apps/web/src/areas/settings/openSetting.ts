import { type CommonSettingName, placeOf } from '@ordinator/model/areas/settings/commonSettings'
import type { useGo } from '#base/address.ts'

/** Page of a setting, with it marked. */
export const settingPlace = (name: CommonSettingName) => ({
  page: placeOf(name).child.page as 'mainSettings',
  search: { setting: name },
})

export const openSetting = (go: ReturnType<typeof useGo>, name: CommonSettingName): void => void go(settingPlace(name))
