import { useCallback } from 'react'
import { notify } from '../kit/notify.tsx'
import { errorMessage } from './apiError.ts'
import { http } from './http.ts'
import { session, useUserSettings } from './session.ts'

/** Whether the left menu stays open: the user's setting `pinLeftMenu`, changed at once and taken back on refusal. */
export function useMenuPin(): [boolean, () => void] {
  const { main } = useUserSettings()
  const toggle = useCallback(async () => {
    const next = { ...main, pinLeftMenu: !main.pinLeftMenu }
    session.applySettings('main', next)
    try {
      await http.put('/user-settings/main', next, { forbidden: 'toast', quiet: true })
    } catch (error) {
      session.applySettings('main', main)
      notify.error(errorMessage(error))
    }
  }, [main])
  return [main.pinLeftMenu, toggle]
}
