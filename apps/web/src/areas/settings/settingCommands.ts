import { commonSettings, placeOf } from '@ordinator/model/areas/settings/commonSettings'
import { findSettings } from '@ordinator/model/areas/settings/findSettings'
import { pageByKey } from '@ordinator/model/pages'
import type { useGo } from '#base/address.ts'
import type { Command } from '#base/commands.ts'
import { openSetting } from './openSetting.ts'

const MAX_SHOWN = 5

/** Palette commands for matching settings. */
export const settingCommands = (text: string, go: ReturnType<typeof useGo>): Command[] =>
  findSettings(text)
    .slice(0, MAX_SHOWN)
    .map((name) => {
      const { child, group } = placeOf(name)
      return {
        id: `setting-${name}`,
        label: commonSettings[name].label,
        group: 'Настройки',
        hint: `${pageByKey(child.page).title} · ${group}`,
        run: () => openSetting(go, name),
      }
    })
