import { useQuery } from '@tanstack/react-query'
import { api } from '../../base/api.ts'
import { today } from '../../kit/clock.ts'
import { Block, Tiles, VStack } from '../../kit/Stacks.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import classes from './Figures.module.css'

const DAYS = 30
const DAY_MS = 86_400_000

const lasted = (seconds: number): string =>
  seconds < 120
    ? `${seconds} с`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} мин`
      : `${Math.round(seconds / 3_600)} ч`

/** How the exchange has gone for the last thirty days. */
export function Figures() {
  const to = today()
  const from = new Date(Date.parse(to) - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const { data } = useQuery({
    queryKey: ['egisz', 'figures', from, to],
    queryFn: ({ signal }) => api('GET /egisz/figures', { query: { from, to } }, { signal, quiet: true }),
  })
  if (!data) return <Block className={classes.place} />
  const tiles: readonly [string, string, string | undefined][] = [
    [
      'Зарегистрировано',
      data.registeredShare === null ? '—' : `${data.registeredShare.toLocaleString('ru')} %`,
      `${data.registered} из ${data.registered + data.rejected} с ответом`,
    ],
    [
      'Охват',
      data.coverage === null ? '—' : `${data.coverage.toLocaleString('ru')} %`,
      'зарегистрировано из подписанных осмотров',
    ],
    ['До регистрации', data.medianSeconds === null ? '—' : lasted(data.medianSeconds), 'медиана от отправки'],
    ['Ждут больше суток', String(data.late), data.late > 0 ? 'обратитесь в поддержку РЭМД' : 'РЭМД отвечает'],
    ['Ждут подписи', String(data.toSend), 'проверены и не отправлены'],
  ]
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
      {data.refusals.length > 0 && (
        <Fine>
          Отказы за {DAYS} дней:{' '}
          {data.refusals.map(({ code, message, count }) => `${code || message} — ${count}`).join('; ')}
        </Fine>
      )}
    </VStack>
  )
}
