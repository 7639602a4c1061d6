import { biomaterials } from '@ordinator/model/areas/laboratory/words'
import { formatMoney } from '@ordinator/model/format'
import { IconX } from '@tabler/icons-react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { TubeCap } from '../words.tsx'
import type { Chosen } from './chosen.ts'
import classes from './newOrder.module.css'

type QuoteAnswer = Awaited<ReturnType<typeof askQuote>>

const askQuote = () => api('POST /laboratory/orders/quote', { body: { tests: [], idFilial: 0 } })

export function Summary({
  chosen,
  quote,
  hasFilial,
  onRemove,
}: {
  chosen: readonly Chosen[]
  quote: {
    data?: QuoteAnswer | undefined
    isError: boolean
    error: unknown
    isFetching: boolean
    refetch: () => unknown
  }
  hasFilial: boolean
  onRemove: (one: Chosen) => void
}) {
  const { data } = quote
  if (chosen.length === 0)
    return <Muted>Выберите панели и исследования: здесь будет цена, срок, подготовка и пробирки.</Muted>
  if (!hasFilial) return <Muted>Выберите филиал: от него зависят цены и сроки.</Muted>
  if (quote.isError)
    return <ErrorState title="Заказ не рассчитан" error={quote.error} onRetry={() => void quote.refetch()} />
  const lineOf = new Map(data?.lines.map((line) => [line.idTest, line]))
  return (
    <>
      <div className={classes.chosen} aria-busy={quote.isFetching}>
        {chosen.map((one) => {
          const line = lineOf.get(one.id)
          return (
            <div key={one.id} className={classes.line} data-within={line?.within || undefined}>
              <span className={classes.name}>
                {one.name}
                <Fine component="div">
                  {line?.within
                    ? `входит в «${line.within}»`
                    : line?.covered
                      ? `уже входит в профиль «${line.covered}»: уберите, чтобы не платить дважды`
                      : line && `${line.laboratory} · к ${formatDateTime(line.dueAt)}`}
                </Fine>
              </span>
              <span className="tabular nowrap">
                {!line
                  ? '…'
                  : line.within
                    ? '—'
                    : line.price === null
                      ? 'нет цены'
                      : formatMoney(line.final ?? line.price)}
                {line && !line.within && line.final !== null && line.price !== null && line.final < line.price && (
                  <Fine component="div" td="line-through" aria-label={`Без скидки ${formatMoney(line.price)}`}>
                    {formatMoney(line.price)}
                  </Fine>
                )}
              </span>
              {line?.covered && (
                <ActionButton
                  label="Убрать"
                  aria-label={`Убрать из заказа: ${one.name}`}
                  size="compact-sm"
                  variant="light"
                  onClick={() => onRemove(one)}
                />
              )}
              <IconButton label={`Убрать: ${one.name}`} icon={IconX} size={26} onClick={() => onRemove(one)} />
            </div>
          )
        })}
      </div>
      {data && (
        <>
          {data.base > data.total && (
            <Fine component="div">
              По прайсу {formatMoney(data.base)}. {data.why.join('; ')}
            </Fine>
          )}
          <div className={classes.total}>
            <span>Итого</span>
            <strong>{formatMoney(data.total)}</strong>
          </div>
          <div>
            Готовность: <b>{formatDateTime(data.dueAt)}</b>
          </div>
          {data.preparation.map(({ text, tests }) => (
            <div key={text} className={classes.prep}>
              {text}
              <Fine component="div">{tests.join(', ')}</Fine>
            </div>
          ))}
          <ol className={classes.tubes} aria-label="Пробирки в порядке взятия">
            {data.tubes.map((tube) => (
              <li
                key={`${tube.laboratory}${tube.container}${tube.tests.join()}${tube.part}`}
                className={classes.tubeChip}
                title={`${biomaterials[tube.biomaterial]}: ${tube.tests.join(', ')}`}
              >
                <TubeCap cap={tube.cap} name={tube.container ?? biomaterials[tube.biomaterial]} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
