import { allowed } from '@ordinator/model/access'
import { callAccess } from '@ordinator/model/areas/calls/access'
import { useCallback, useRef } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useAccount, useActor } from '#base/session.ts'
import { notify } from '#kit/notify.tsx'

/** Dials through the exchange; null without a telephone or the right to call. */
export function useDial(): ((phone: string) => void) | null {
  const { user, common } = useAccount()
  const mayDial = allowed(useActor(), callAccess.view) && common.telephony === true && Boolean(user.identity.sipPhone)
  const busy = useRef(false)
  const dial = useCallback((phone: string) => {
    if (busy.current) return
    busy.current = true
    api('POST /calls/originate', { body: { phone } }, { forbidden: 'toast' })
      .then(() => notify.success('Снимите трубку своего телефона: АТС звонит вам и наберёт номер'))
      .catch((error: unknown) => notify.error(errorMessage(error), { title: 'Не дозвонились' }))
      .finally(() => {
        busy.current = false
      })
  }, [])
  return mayDial ? dial : null
}
