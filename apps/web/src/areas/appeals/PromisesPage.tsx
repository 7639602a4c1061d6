import { Anchor, Badge, SegmentedControl } from '@mantine/core'
import { Appeal, type PromiseKind, promiseKinds } from '@ordinator/model/areas/appeals/appeal'
import type { OpenPromise } from '@ordinator/model/areas/appeals/calls'
import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { formatFromNow } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import {
  IconArrowForwardUp,
  IconHeartHandshake,
  IconMessage2,
  IconMessageReport,
  IconPhoneX,
  type TablerIcon,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { HandoverButton, HandoverNotes, SimulatorButton } from '#areas/centre/index.ts'
import { useAddress } from '#base/address.ts'
import { id, mark } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useNow } from '#kit/useNow.ts'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { placeOf } from './CustomerPromises.tsx'
import classes from './PromisesPage.module.css'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const icons: Record<PromiseKind, TablerIcon> = {
  answer: IconMessage2,
  callBack: IconPhoneX,
  next: IconArrowForwardUp,
  outcome: IconMessageReport,
}

const groups = [
  { title: 'Просрочено', upTo: 0 },
  { title: 'В ближайший час', upTo: HOUR_MS },
  { title: 'Позже', upTo: Number.POSITIVE_INFINITY },
] as const

/** Никто не забыт: promises to patients, the most urgent first. */
export default function PromisesPage() {
  const page = pageByKey('promises')
  const [{ mine, filial }, setAddress] = useAddress((search) => ({
    mine: mark(search.mine),
    filial: id(search.filial),
  }))
  const live = [
    useCan('view', Call) && Call.path,
    useCan('view', LiveAssist) && LiveAssist.path,
    useCan('view', Appeal) && Appeal.path,
  ].filter((path) => path !== false)
  const board = useInfiniteQuery({
    queryKey: ['promises', mine, filial],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /promises',
        {
          query: {
            ...(mine && { mine: '1' as const }),
            ...(filial && { filial }),
            ...(pageParam && { after: pageParam }),
          },
        },
        { signal, forbidden: 'silent' },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    meta: { live, reportsFailure: true },
  })
  const now = useNow(MINUTE_MS / 2)
  const items = board.data?.pages.flatMap((part) => part.items)
  let from = Number.NEGATIVE_INFINITY
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            <SimulatorButton />
            <HandoverButton />
          </>
        }
      >
        <HStack wrap gap={12}>
          <SegmentedControl
            aria-label="Чьи обещания"
            data={[
              { value: '', label: 'Все' },
              { value: '1', label: 'Мои и ничьи' },
            ]}
            value={mine ? '1' : ''}
            onChange={(value) => setAddress({ mine: value ? true : undefined }, { replace: true })}
          />
          <Block w={240}>
            <RefSelect
              to={Filial.path}
              aria-label="Филиал"
              placeholder="Любой филиал"
              value={filial ?? null}
              onChange={(value) => setAddress({ filial: value ?? undefined }, { replace: true })}
            />
          </Block>
        </HStack>
      </PageHead>
      <Block px="var(--ord-page)" pb={24}>
        <HandoverNotes />
        {board.isError && !items ? (
          <ErrorState title="Список не загрузился" error={board.error} onRetry={() => void board.refetch()} />
        ) : !items ? (
          <LinesSkeleton lines={8} />
        ) : items.length === 0 ? (
          <EmptyState
            icon={IconHeartHandshake}
            title="Никто не забыт"
            text="Чатов без ответа, пропущенных звонков и обращений без итога нет."
          />
        ) : (
          <VStack gap={20}>
            {groups.map(({ title, upTo }) => {
              const after = from
              from = upTo
              const part = items.filter(({ dueAt }) => {
                const left = Date.parse(dueAt) - now
                return left > after && left <= upTo
              })
              return (
                part.length > 0 && (
                  <section key={title} aria-label={title}>
                    <h2>
                      {title}{' '}
                      <Muted className="tabular">
                        {part.length}
                        {/* The next page may continue this group. */}
                        {board.hasNextPage && part.at(-1) === items.at(-1) && '+'}
                      </Muted>
                    </h2>
                    <ul className={classes.list}>
                      {part.map((one) => (
                        <Line key={`${one.kind} ${one.source} ${one.id}`} promise={one} isLate={upTo === 0} now={now} />
                      ))}
                    </ul>
                  </section>
                )
              )
            })}
            {board.hasNextPage && (
              <HStack>
                <ActionButton
                  label="Показать ещё"
                  variant="default"
                  loading={board.isFetchingNextPage}
                  onClick={() => void board.fetchNextPage()}
                />
                {board.isFetchNextPageError && <Muted role="alert">Не загрузилось: попробуйте ещё раз</Muted>}
              </HStack>
            )}
          </VStack>
        )}
      </Block>
    </>
  )
}

function Line({ promise, isLate, now }: { promise: OpenPromise; isLate: boolean; now: number }) {
  const { kind, who, idCustomer, phone, about, dueAt, idOwner, owner, filial } = promise
  const Icon = icons[kind]
  const name = who === phoneText(phone) ? null : who
  return (
    <li className={classes.line}>
      <HStack gap={8}>
        <Icon size={18} aria-hidden />
        <Anchor inherit fw={600} renderRoot={(props) => <PageLink {...props} {...placeOf(promise)} />}>
          {promiseKinds[kind]}
        </Anchor>
      </HStack>
      <div className={classes.who}>
        <HStack wrap gap="0 12px">
          {name && (
            <UserLink
              user={{ id: idCustomer ?? undefined, shortFio: name }}
              of={Customer.path}
              className="pressable breaks"
            />
          )}
          {phone ? <PhoneLink phone={phone} /> : !name && 'Номер скрыт'}
        </HStack>
        {about && <Fine className="breaks">{about}</Fine>}
      </div>
      <Fine className={classes.owner}>
        <Dotted>
          {owner ? <UserLink user={{ id: idOwner ?? undefined, shortFio: owner }} className="pressable" /> : 'ничьё'}
          {filial}
        </Dotted>
      </Fine>
      <div className={classes.due}>
        <Badge color={isLate ? 'red' : 'gray'} variant="light" tt="none" title={formatDateTime(dueAt)}>
          {formatFromNow(dueAt, new Date(now))}
        </Badge>
      </div>
    </li>
  )
}
