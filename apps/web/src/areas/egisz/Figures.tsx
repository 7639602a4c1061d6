import { eventKinds, type eventLevels } from '@ordinator/model/areas/egisz/semd'
import { formatNumber, plural } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { api } from '#base/api.ts'
import { formatDateTime, today } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, Tiles, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './Figures.module.css'

const DAYS = 30

type Tile = readonly [label: string, value: string, help: string]

/** The last thirty days, as parameters of the figures. */
function lastDays(): { from: string; to: string } {
  const to = today()
  return { from: plusDays(to, 1 - DAYS), to }
}

/** Figures above a journal, with further content below. */
interface TilesProps {
  /** Undefined until they have come. */
  tiles: readonly Tile[] | undefined
  failed: boolean
  children?: ReactNode
}

function FigureTiles({ tiles, failed, children }: TilesProps) {
  useRevealDelay(!tiles && !failed)
  if (!tiles) return <Block className={classes.place} />
  return (
    <VStack gap={8}>
      <Tiles tile={170} gap={12}>
        {tiles.map(([label, value, help]) => (
          <Block key={label} framed p={12}>
            <Muted>{label}</Muted>
            <div className={classes.value}>{value}</div>
            <Fine>{help}</Fine>
          </Block>
        ))}
      </Tiles>
      {children}
    </VStack>
  )
}

const percents = (share: number | null): string => (share === null ? '—' : `${share.toLocaleString('ru')} %`)

const lasted = (seconds: number): string =>
  seconds < 120
    ? `${seconds} с`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} мин`
      : `${Math.round(seconds / 3_600)} ч`
const millis = (ms: number | null): string =>
  ms === null ? '—' : ms < 1_000 ? `${ms} мс` : `${(ms / 1_000).toLocaleString('ru', { maximumFractionDigits: 1 })} с`

/** Exchange of the last thirty days. */
export function Figures() {
  const period = lastDays()
  const { data, isError } = useQuery({
    queryKey: ['egisz', 'figures', period.from, period.to],
    queryFn: ({ signal }) => api('GET /egisz/figures', { query: period }, { signal, quiet: true }),
    refetchInterval: countingEvery,
  })
  if (data?.run !== undefined) return <CountingRun id={data.run} />
  const tiles: readonly Tile[] | undefined = data && [
    [
      'Зарегистрировано',
      percents(data.registeredShare),
      `${data.registered} из ${data.registered + data.rejected} с ответом`,
    ],
    ['Охват', percents(data.coverage), 'зарегистрировано из подписанных осмотров'],
    ['До регистрации', data.medianSeconds === null ? '—' : lasted(data.medianSeconds), 'медиана от отправки'],
    ['Ждут больше суток', String(data.late), data.late > 0 ? 'обратитесь в поддержку РЭМД' : 'РЭМД отвечает'],
    ['Ждут подписи', String(data.toSend), 'проверены и не отправлены'],
  ]
  return (
    <FigureTiles tiles={tiles} failed={isError}>
      {data && data.refusals.length > 0 && (
        <Fine>
          Отказы за {DAYS} дней:{' '}
          {data.refusals.map(({ code, message, count }) => `${code || message} — ${count}`).join('; ')}
        </Fine>
      )}
    </FigureTiles>
  )
}

/** Messages to the register and НСИ in the last thirty days. */
export function MessageFigures() {
  const period = lastDays()
  const { data, isError } = useQuery({
    queryKey: ['egisz', 'figures', 'messages', period.from, period.to],
    queryFn: ({ signal }) => api('GET /egisz/figures/messages', { query: period }, { signal, quiet: true }),
    meta: { live: ['exchange/messages'], everyMs: 30_000 },
  })
  const tiles: readonly Tile[] | undefined = data && [
    [
      `Сообщений за ${DAYS} дней`,
      `${data.isCut ? '> ' : ''}${formatNumber(data.total)}`,
      `отправлено ${formatNumber(data.total - data.incoming)}, получено ${formatNumber(data.incoming)}`,
    ],
    ['С ошибками', percents(data.failedShare), `${formatNumber(data.failed)} из ${formatNumber(data.total)}`],
    ['Ждут ответа', formatNumber(data.waiting), data.waiting > 0 ? 'в очереди или без ответа' : 'очередь пуста'],
    ['Отправлены повторно', formatNumber(data.repeated), 'ответили не с первого раза'],
    [
      'Ответ приходит за',
      millis(data.medianMs),
      data.medianMs === null ? 'ответов ещё не было' : `медиана; 95 % — до ${millis(data.slowMs)}`,
    ],
  ]
  return (
    <FigureTiles tiles={tiles} failed={isError}>
      {data && data.errors.length > 0 && (
        <Fine>
          Ошибки за {DAYS} дней:{' '}
          {data.errors.map(({ code, text, count }) => `${code || text || 'без кода'} — ${count}`).join('; ')}
        </Fine>
      )}
    </FigureTiles>
  )
}

/** Events of the last thirty days. */
export function EventFigures() {
  const period = lastDays()
  const { data, isError } = useQuery({
    queryKey: ['egisz', 'figures', 'events', period.from, period.to],
    queryFn: ({ signal }) => api('GET /egisz/figures/events', { query: period }, { signal, quiet: true }),
    meta: { live: ['egisz/events'], everyMs: 30_000 },
  })
  const of = (level: keyof typeof eventLevels) => data?.byLevel.find((one) => one.level === level)?.count ?? 0
  const most = data?.byKind[0]
  const tiles: readonly Tile[] | undefined = data && [
    [
      `Событий за ${DAYS} дней`,
      `${data.isCut ? '> ' : ''}${formatNumber(data.total)}`,
      most ? `чаще всего: «${eventKinds[most.kind]}»` : 'событий не было',
    ],
    [
      'Ошибки',
      formatNumber(of('error')),
      data.lastError ? `последняя ${formatDateTime(data.lastError.date)}` : 'за это время их не было',
    ],
    ['Предупреждения', formatNumber(of('warning')), 'повод посмотреть, но обмен идёт'],
    ...data.byKind
      .filter(({ wrong }) => wrong > 0)
      .sort((one, other) => other.wrong - one.wrong)
      .slice(0, 2)
      .map(
        ({ kind, count, wrong }): Tile => [
          eventKinds[kind],
          formatNumber(wrong),
          `${plural(wrong, ['замечание', 'замечания', 'замечаний'])} из ${formatNumber(count)}`,
        ],
      ),
  ]
  return (
    <FigureTiles tiles={tiles} failed={isError}>
      {data?.lastError && <Fine lineClamp={2}>Последняя ошибка: {data.lastError.text}</Fine>}
    </FigureTiles>
  )
}
