import type { PortalMe, PortalStart } from '@ordinator/model/areas/portal/shapes'
import { IconCalendar, IconFileText, IconMessage, IconReceipt, IconUser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ask } from './ask.ts'
import { Bills } from './Bills.tsx'
import { Booking, choiceOf } from './Booking.tsx'
import { Chat } from './Chat.tsx'
import { Data } from './Data.tsx'
import { Goods } from './Goods.tsx'
import { Memberships } from './Memberships.tsx'
import { Papers } from './Papers.tsx'
import { Loaded } from './parts.tsx'
import { ScoreLink } from './ScoreLink.tsx'
import { LinkIn, SignIn } from './SignIn.tsx'
import { sent } from './sent.ts'
import { useAsked } from './useAsked.ts'
import { VisitLink } from './VisitLink.tsx'
import { Visits } from './Visits.tsx'

const tabs = {
  visits: { name: 'Визиты', title: 'Мои визиты', icon: IconCalendar },
  papers: { name: 'Документы', title: 'Мои документы', icon: IconFileText },
  bills: { name: 'Счёт', title: 'Счёт и оплата', icon: IconReceipt },
  chat: { name: 'Чат', title: 'Чат с клиникой', icon: IconMessage },
  data: { name: 'Данные', title: 'Мои данные', icon: IconUser },
} as const
type Tab = keyof typeof tabs
/** Screens opened from another one, without a tab. */
const asides = { '#goods': 'Товары клиники', '#memberships': 'Абонементы' } as const
type Aside = keyof typeof asides
const asideOf = (hash: string, me: PortalMe): Aside | undefined =>
  (hash === '#goods' && me.hasGoods) || (hash === '#memberships' && me.hasMemberships) ? (hash as Aside) : undefined

const linkOf = (hash: string): string | undefined => /^#link=([\w-]{43})$/.exec(hash)?.[1]
const visitLinkOf = (hash: string): string | undefined => /^#visit=(\d+\.[\w-]{22})$/.exec(hash)?.[1]
const scoreLinkOf = (hash: string): string | undefined => /^#score=(\d+\.[\w-]{22})$/.exec(hash)?.[1]
const tabOf = (hash: string): Tab => (Object.keys(tabs) as Tab[]).find((tab) => hash === `#${tab}`) ?? 'visits'

/** Личный кабинет: sign-in, then the screens of the patient. */
export function Portal() {
  const [me, setMe] = useState<PortalMe>()
  const [hash, setHash] = useState(() => location.hash || (sent.place || sent.friend ? '#book' : ''))
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const asked = useAsked<{ start: PortalStart; me?: PortalMe }>(async (signal) => {
    const start = await ask('GET /portal/start', undefined, signal)
    return start.isIn ? { start, me: await ask('GET /portal/me', undefined, signal) } : { start }
  }, 'start')
  const enter = (entered: PortalMe) => {
    // From the site to a purchase: sign-in does not lose the way.
    const place = hash === '#memberships' ? hash : '#visits'
    history.replaceState(null, '', place)
    setHash(place)
    setMe(entered)
  }
  const link = linkOf(hash)
  const visitLink = visitLinkOf(hash)
  if (visitLink) return <VisitLink token={visitLink} />
  const scoreLink = scoreLinkOf(hash)
  if (scoreLink) return <ScoreLink token={scoreLink} />
  return (
    <Loaded asked={asked}>
      {(start) => {
        const inside = me ?? start.me
        if (hash === '#book' || choiceOf(hash))
          return <Booking start={start.start} me={inside} choice={choiceOf(hash)} onEnter={setMe} />
        if (link) return <LinkIn start={start.start} token={link} onEnter={enter} />
        if (!inside) return <SignIn start={start.start} onEnter={enter} />
        return (
          <Inside
            me={inside}
            tab={tabOf(hash)}
            aside={asideOf(hash, inside)}
            onLeave={async (everywhere) => {
              await ask(everywhere ? 'DELETE /portal/sessions' : 'DELETE /portal/session').catch(() => {})
              // Reloads, so that no shown data remain.
              location.replace('/portal')
            }}
          />
        )
      }}
    </Loaded>
  )
}

function Inside({
  me,
  tab,
  aside,
  onLeave,
}: {
  me: PortalMe
  tab: Tab
  aside: Aside | undefined
  onLeave: (everywhere?: 'everywhere') => Promise<void>
}) {
  const people = [me.person, ...me.family]
  const [patient, setPatient] = useState(me.person.id)
  const title = aside ? asides[aside] : tabs[tab].title
  const open = aside ? undefined : tab
  useEffect(() => {
    document.title = title
  }, [title])
  const shown = (Object.keys(tabs) as Tab[]).filter(
    (one) =>
      (one !== 'chat' && one !== 'papers') ||
      me.actions.includes(one) ||
      (one === 'chat' && me.actions.includes('doctor')),
  )
  return (
    <div className="inside">
      <header>
        <span className="clinic">{me.clinicName}</span>
        {people.length > 1 && aside !== '#goods' && open !== 'chat' ? (
          <select
            aria-label="Чьи данные показаны"
            value={patient}
            onChange={(event) => setPatient(Number(event.currentTarget.value))}
          >
            {people.map(({ id, fio }) => (
              <option key={id} value={id}>
                {fio}
              </option>
            ))}
          </select>
        ) : (
          <span className="quiet">{me.person.name}</span>
        )}
      </header>
      <main>
        <h1>{title}</h1>
        {aside === '#goods' && <Goods />}
        {aside === '#memberships' && <Memberships me={me} patient={patient} />}
        {open === 'visits' && <Visits me={me} patient={patient} />}
        {open === 'papers' && <Papers me={me} patient={patient} />}
        {open === 'bills' && <Bills me={me} patient={patient} />}
        {open === 'chat' && <Chat me={me} />}
        {open === 'data' && <Data me={me} patient={patient} onLeave={(everywhere) => void onLeave(everywhere)} />}
      </main>
      <nav aria-label="Разделы кабинета">
        {shown.map((one) => {
          const { name, icon: Icon } = tabs[one]
          return (
            <a key={one} href={`#${one}`} aria-current={one === open ? 'page' : undefined}>
              <Icon size={22} aria-hidden />
              {name}
            </a>
          )
        })}
      </nav>
    </div>
  )
}
