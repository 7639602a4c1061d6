import {
  type UserSettingGroup,
  type UserSettingGroups,
  userSettingPaths,
} from '@ordinator/model/areas/settings/userSettings'
import { useCallback } from 'react'
import { notify } from '#kit/notify.tsx'
import { api } from './api.ts'
import { errorMessage } from './apiError.ts'
import { session, useUserSettings } from './session.ts'

/**
 * One group of the user's own settings: a change is shown at once, sent to the server, and reverted with a toast when it
 * is refused. The setter resolves to whether it was saved.
 */
export function useOwnSettings<G extends UserSettingGroup>(
  group: G,
): [UserSettingGroups[G], (patch: Partial<UserSettingGroups[G]>) => Promise<boolean>] {
  const value = useUserSettings()[group]
  const change = useCallback(
    async (patch: Partial<UserSettingGroups[G]>) => {
      const now = () => session.account()?.user.settings[group] ?? value
      session.applySettings(group, { ...now(), ...patch })
      try {
        await api(
          `PUT /user-settings/${userSettingPaths[group as UserSettingGroup]}`,
          { body: { ...patch } },
          { forbidden: 'toast', quiet: true },
        )
        // The state of the menu is part of the account.
        if ('pinLeftMenu' in patch) void session.reload()
        return true
      } catch (error) {
        const before = Object.fromEntries(Object.keys(patch).map((name) => [name, value[name as keyof typeof value]]))
        session.applySettings(group, { ...now(), ...before })
        notify.error(errorMessage(error), { title: 'Не удалось сохранить настройки' })
        return false
      }
    },
    [group, value],
  )
  return [value, change]
}
