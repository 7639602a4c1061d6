import { holds } from '@ordinator/model/access'
import { IconMessages } from '@tabler/icons-react'
import { useCallCounts } from '#areas/calls/index.ts'
import { useChatCounts } from '#areas/chats/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { dayOf } from '#kit/clock.ts'
import { NumberTile } from '#kit/NumberTile.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'

/** Patients waiting for a call or an answer; hidden for users without calls and chats. */
export function Conversations() {
  const actor = useActor()
  const telephones = holds(actor, 'viewCallJournal')
  const writes = holds(actor, 'supportOperator')
  const calls = useCallCounts(telephones)
  const chats = useChatCounts(writes)
  const all = [
    ...(telephones ? [calls.waits, calls.missed, calls.incoming] : []),
    ...(writes ? [chats?.awaits, chats?.unassigned, chats?.mine] : []),
  ]
  const day = dayOf(new Date())
  const today = { madeFrom: day, madeTo: day }
  const busy = all.includes(undefined)
  useRevealDelay(busy)
  if (!telephones && !writes) return null
  return (
    <WidgetCard
      title="Звонки и чаты"
      icon={<IconMessages size={18} />}
      busy={busy}
      none={!busy && all.every((count) => count === 0) && 'Никто не ждёт звонка или ответа.'}
    >
      <Tiles tile={156} gap={8} pt={4} mih={48}>
        <NumberTile count={calls.waits} label="Ждут звонка" late>
          {(face) => <PageLink page="calls" search={{ waits: true }} {...face} />}
        </NumberTile>
        <NumberTile count={chats?.awaits} label="Ждут моего ответа" late>
          {(face) => <PageLink page="liveAssist" search={{ tab: 'all', awaits: true }} {...face} />}
        </NumberTile>
        <NumberTile count={chats?.unassigned} label="Ничьи чаты">
          {(face) => <PageLink page="liveAssist" search={{ tab: 'unassigned' }} {...face} />}
        </NumberTile>
        <NumberTile count={chats?.mine} label="Мои чаты">
          {(face) => <PageLink page="liveAssist" search={{ tab: 'mine' }} {...face} />}
        </NumberTile>
        <NumberTile count={calls.missed} label="Не перезвонили сегодня">
          {(face) => <PageLink page="calls" search={{ type: ['missed'], ...today }} {...face} />}
        </NumberTile>
        <NumberTile count={calls.incoming} label="Принято звонков сегодня">
          {(face) => <PageLink page="calls" search={{ type: ['in'], ...today }} {...face} />}
        </NumberTile>
      </Tiles>
    </WidgetCard>
  )
}
