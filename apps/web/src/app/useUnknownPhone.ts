import { refusal } from '@ordinator/model/access'
import type { Page } from '@ordinator/model/page'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { phoneOf, phoneText } from '@ordinator/model/phone'
import { useNavigate } from '@tanstack/react-router'
import { use, useMemo } from 'react'
import type { Command } from '#base/commands.ts'
import { useActor } from '#base/session.ts'
import { DialContext } from '#kit/PhoneLink.tsx'
import { UNKNOWN } from './paletteGroups.ts'

/** What is done with a number that is in no card: a new card, a booking, a call, an appeal. */
export function useUnknownPhone(text: string, isUnknown: boolean): Command[] {
  const navigate = useNavigate()
  const actor = useActor()
  const dial = use(DialContext)
  const phone = isUnknown ? phoneOf(text.trim()) : undefined
  return useMemo(() => {
    if (!phone) return []
    const shown = phoneText(phone) ?? phone
    const may = (page: PageKey, making: Pick<Page, 'makes'>['makes']) =>
      pageAllowed(pageByKey(page), actor) && making !== undefined && !refusal(actor, making)
    const to = (page: PageKey) => `/${pageByKey(page).path}`
    const one = (id: string, label: string, run: () => void): Command => ({
      id,
      label,
      group: UNKNOWN,
      hint: shown,
      run,
    })
    const makes = (page: PageKey) => (pageByKey(page) as Page).makes
    return [
      ...(may('customers', makes('customers'))
        ? [
            one(
              'phone-card',
              'Новый пациент',
              () => void navigate({ to: to('customers'), search: { open: 'new', phone } }),
            ),
          ]
        : []),
      ...(may('calendar', makes('calendar'))
        ? [
            one(
              'phone-book',
              'Записать',
              () => void navigate({ to: to('calendar'), search: { book: true, phone: shown } }),
            ),
          ]
        : []),
      one('phone-call', 'Позвонить', () => {
        if (dial) dial(phone)
        else location.href = `tel:${phone}`
      }),
      ...(may('appeals', makes('appeals'))
        ? [one('phone-appeal', 'Новое обращение', () => void navigate({ to: to('appeals'), search: { open: 'new' } }))]
        : []),
    ]
  }, [phone, actor, dial, navigate])
}
