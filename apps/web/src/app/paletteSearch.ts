/** Searches of the palette: records, settings, the guide. */

import { refusal } from '@ordinator/model/access'
import { otherLayouts } from '@ordinator/model/keyboardLayout'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import type { Command } from '#base/commands.ts'
import { useActor } from '#base/session.ts'
import { loadChunk } from '#kit/chunk.ts'

const SEARCH_FROM = 2
const SEARCH_DELAY_MS = 300

/** Pages and commands shown beside found records. */
export const MAX_BESIDE = 6

/** Phones are stored as digits only. */
const withPhones = (text: string): string => text.replace(/\+\d{10,15}\b/g, (phone) => phoneText(phone) ?? phone)

/** Words beside a name that mean the person's schedule: «волкова расписание». */
const SCHEDULE = /(?:^|\s)(?:расписани[ея]|график|смены)(?=\s|$)/iu

/** Records matching the text; one request at a time, and none for a single letter. */
export function useRecordSearch(text: string): { found: Command[]; state: 'idle' | 'looking' | 'failed' } {
  const navigate = useNavigate()
  const actor = useActor()
  /** `of`: the text of these results. */
  const [shown, setShown] = useState<ReturnType<typeof useRecordSearch> & { of: string }>({
    found: [],
    state: 'idle',
    of: '',
  })
  const asked = text.trim().replace(/\s+/g, ' ')
  useEffect(() => {
    if (asked.length < SEARCH_FROM) return setShown({ found: [], state: 'idle', of: asked })
    // Until the results arrive, keep those that contain all typed words.
    const words = asked.toLowerCase().split(' ')
    const holds = ({ label, hint }: Command) => words.every((w) => `${label} ${hint ?? ''}`.toLowerCase().includes(w))
    setShown(({ found }) => ({ found: found.filter(holds), state: 'looking', of: asked }))
    const abort = new AbortController()
    const look = async () => {
      const read = (q: string) => api('GET /search', { query: { q } }, { signal: abort.signal, forbidden: 'silent' })
      let { groups } = await read(asked)
      for (const other of otherLayouts(asked))
        if (groups.length === 0 && other !== asked.toLowerCase()) groups = (await read(other)).groups
      const found = groups.flatMap(({ path, name, items, hasMore }) =>
        items.map(
          ({ id, title, hint, link }): Command => ({
            id: `${path}/${id}`,
            path,
            label: withPhones(title),
            group: hasMore ? `${name}: первые ${items.length}` : name,
            hint: hint ? withPhones(hint) : undefined,
            run: () => void navigate({ to: link }),
          }),
        ),
      )
      const rest = asked.replace(SCHEDULE, ' ').trim()
      const people =
        rest !== asked && rest.length >= SEARCH_FROM && pageAllowed(pageByKey('calendar'), actor)
          ? (
              await api(
                'GET /search',
                { query: { q: rest, kind: 'users' } },
                { signal: abort.signal, forbidden: 'silent' },
              )
            ).groups
          : []
      const schedules = people.flatMap(({ items }) =>
        items.slice(0, MAX_BESIDE).map(
          ({ id, title }): Command => ({
            id: `schedule-${id}`,
            label: `Расписание: ${title}`,
            group: 'Расписание',
            run: () => void navigate({ to: '/calendar', search: { view: 'week', user: id } }),
          }),
        ),
      )
      setShown({ found: [...schedules, ...found], state: 'idle', of: asked })
    }
    const timer = setTimeout(() => {
      look().catch(() => {
        if (!abort.signal.aborted) setShown({ found: [], state: 'failed', of: asked })
      })
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asked, navigate, actor])
  return shown.of === asked ? shown : { ...shown, state: 'looking' }
}

/** Clinic settings, for users who may edit them; their texts are loaded with the first letters typed. */
export function useSettingSearch(text: string): Command[] {
  const go = useGo()
  const maySet = refusal(useActor(), { any: ['mainSettings'] }) === undefined
  const asked = maySet && text.trim().length >= SEARCH_FROM
  const [find, setFind] = useState<typeof import('#areas/settings/settingCommands.ts').settingCommands>()
  useEffect(() => {
    if (!asked) return
    let alive = true
    loadChunk(() => import('#areas/settings/settingCommands.ts')).then(
      ({ settingCommands }) => alive && setFind(() => settingCommands),
      () => undefined,
    )
    return () => {
      alive = false
    }
  }, [asked])
  return useMemo(() => (asked && find ? find(text, go) : []), [asked, find, text, go])
}

/** Words of the guide, loaded with the first letters typed. */
export function useGuideSearch(text: string, onHelp: (page: PageKey | undefined) => void): Command[] {
  const actor = useActor()
  const asked = text.trim().length > SEARCH_FROM
  const [find, setFind] = useState<typeof import('./guideCommands.ts').guideCommands>()
  useEffect(() => {
    if (!asked) return
    let alive = true
    loadChunk(() => import('./guideCommands.ts')).then(
      ({ guideCommands }) => alive && setFind(() => guideCommands),
      () => undefined,
    )
    return () => {
      alive = false
    }
  }, [asked])
  return useMemo(() => (asked && find ? find(text, actor, onHelp) : []), [asked, find, text, actor, onHelp])
}
