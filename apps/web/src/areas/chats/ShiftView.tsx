import { Alert, Table } from '@mantine/core'
import { LiveAssist, operatorStates } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { formatNumber } from '@ordinator/model/format'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { WayTo } from '#base/WayTo.tsx'
import { dayOf, formatDateTime, formatTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { failureWords } from '#kit/failureWords.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'
import contextClasses from './context.module.css'
import dutyClasses from './duty.module.css'
import listClasses from './list.module.css'
import placeClasses from './place.module.css'
import classes from './ShiftView.module.css'
import { waitText } from './TalkLines.tsx'
import threadClasses from './thread.module.css'

type Shift = Answer<'GET /live-assist/shift'>

/** Presence depends on time, so it is polled. */
const EVERY_MS = 15_000

/** The shift for supervisors: operators, loads, longest waits. */
export function ShiftView({ onOpen, onClose }: { onOpen: (id: number) => void; onClose: () => void }) {
  const shift = useQuery({
    queryKey: ['chatShift'],
    queryFn: ({ signal }) => api('GET /live-assist/shift', {}, { signal, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
    meta: { live: [LiveAssist.path] },
  })
  const now = useNow(EVERY_MS)
  return (
    <section className={placeClasses.shift} aria-label="Смена">
      <header className={threadClasses.threadHead}>
        <IconButton icon={IconChevronLeft} label="К списку чатов" onClick={onClose} />
        <h2 className={threadClasses.whoName}>Смена</h2>
      </header>
      <div className={threadClasses.scroll}>
        {shift.isPending ? (
          <div className={threadClasses.pad}>
            <LinesSkeleton lines={8} />
          </div>
        ) : shift.data ? (
          <VStack gap={20} p={16} maw={920}>
            {shift.isError && (
              <Alert color="yellow" variant="light" role="alert" title="Нет связи: показано то, что было">
                {failureWords(shift.error)}
              </Alert>
            )}
            <Sums shift={shift.data} now={now} />
            <Operators shift={shift.data} now={now} />
            <Waiting shift={shift.data} now={now} onOpen={onOpen} />
          </VStack>
        ) : (
          <ErrorState title="Смена не загрузилась" error={shift.error} onRetry={() => void shift.refetch()} />
        )}
      </div>
    </section>
  )
}

const since = (moment: string, now: number): string => waitText(Math.max(0, now - Date.parse(moment)))

/** Only the time, if today. */
const momentText = (moment: string, now: number): string =>
  dayOf(moment) === dayOf(new Date(now)) ? formatTime(moment) : formatDateTime(moment)

interface Part {
  shift: Shift
  now: number
}

function Sums({ shift: { queue, late, robot, operators, automatic, limit }, now }: Part) {
  const there = operators.filter(({ state }) => state === 'online').length
  return (
    <VStack>
      <Tiles tile={168} gap={8} component="dl">
        <Sum
          label="Ничьи"
          value={queue.count}
          hint={queue.oldest ? `дольше всех — ${since(queue.oldest, now).replaceAll(' ', '\u00a0')}` : 'никто не ждёт'}
          hot={queue.count > 0}
        />
        <Sum label="Срок вышел" value={late} hint="без ответа" hot={late > 0} />
        <Sum
          label="Принимают"
          value={there}
          hint={`из ${formatNumber(operators.length)}`}
          hot={automatic && there === 0}
        />
        <Sum label="У робота" value={robot} hint="отвечает сам" />
      </Tiles>
      <Fine>
        {automatic
          ? `Чаты распределяются сами: не больше ${limit} у одного оператора.`
          : 'Автоматическое распределение выключено: чаты берут сами.'}
      </Fine>
    </VStack>
  )
}

function Sum({ label, value, hint, hot }: { label: string; value: number; hint: string; hot?: boolean }) {
  return (
    <div className={classes.sum} data-hot={hot || undefined}>
      <dt>{label}</dt>
      <dd>
        <span className={`${classes.sumValue} tabular`}>{formatNumber(value)}</span>
        <Fine>{hint}</Fine>
      </dd>
    </div>
  )
}

function Operators({ shift: { operators, limit }, now }: Part) {
  return (
    <VStack>
      <h3 className={contextClasses.part}>Операторы</h3>
      {operators.length === 0 ? (
        <EmptyState
          title="Операторов нет"
          text="Отметьте у сотрудников «Отвечает в чате поддержки»."
          action={<WayTo page="users" label="К сотрудникам" />}
        />
      ) : (
        <Table.ScrollContainer minWidth={320} type="native">
          <Table aria-label="Операторы" verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Оператор</Table.Th>
                <Table.Th ta="end">Чатов</Table.Th>
                <Table.Th ta="end">Ждут</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {operators.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td>
                    <HStack>
                      <UserAvatar user={{ shortFio: one.shortFio }} size={28} />
                      <VStack gap={0} miw={0}>
                        <UserLink user={one} />
                        <span className={listClasses.facts}>
                          <span className={listClasses.fact}>
                            <span className={dutyClasses.dutyDot} data-state={one.state} aria-hidden />
                            {operatorStates[one.state]}
                            {one.since && ` с ${momentText(one.since, now)}`}
                          </span>
                        </span>
                      </VStack>
                    </HStack>
                  </Table.Td>
                  <Table.Td ta="end" className="tabular">
                    {one.open} из {limit}
                  </Table.Td>
                  <Table.Td ta="end">
                    <span className="tabular">{one.waiting}</span>
                    {one.oldest && (
                      <Fine component="div" className={classes.waits} data-late={one.late > 0 || undefined}>
                        {since(one.oldest, now)}
                      </Fine>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </VStack>
  )
}

function Waiting({ shift: { waiting }, now, onOpen }: Part & { onOpen: (id: number) => void }) {
  return (
    <VStack>
      <h3 className={contextClasses.part}>Ждут дольше всех</h3>
      {waiting.length === 0 ? (
        <EmptyState title="Никто не ждёт" text="Сообщений без ответа нет." />
      ) : (
        <ul aria-label="Ждут дольше всех" className={listClasses.waiting}>
          {waiting.map((chat) => (
            <li key={chat.id}>
              <button type="button" className={listClasses.line} onClick={() => onOpen(chat.id)}>
                <span className={listClasses.lineText}>
                  <span className={listClasses.lineTop}>
                    <span className={listClasses.name}>{chat.name}</span>
                    <span
                      className={`${classes.waits} tabular`}
                      data-late={(chat.nextDueAt && Date.parse(chat.nextDueAt) < now) || undefined}
                    >
                      {since(chat.queuedAt, now)}
                    </span>
                  </span>
                  <Fine>
                    {[chat.sourceName || chatSourceLabel(chat.source), chat.group, chat.operator ?? 'никто не отвечает']
                      .filter(Boolean)
                      .join(' · ')}
                  </Fine>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </VStack>
  )
}
