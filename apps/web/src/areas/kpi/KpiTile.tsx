import type { KpiFigure } from '@ordinator/model/areas/kpi/calls'
import { units } from '@ordinator/model/areas/kpi/score'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './Kpi.module.css'

export type Figure = KpiFigure

export const valueText = (value: number | null, unit: string) =>
  value === null ? (
    <Muted>—</Muted>
  ) : unit === 'rubles' ? (
    formatMoney(value)
  ) : (
    `${formatNumber(value)}\u00a0${units[unit as keyof typeof units] ?? ''}`
  )

const lightWords = { green: 'план выполнен', yellow: 'близко к плану', red: 'ниже плана', none: 'плана нет' } as const

const lightTitle = ({ light, plan, planNow }: Figure) =>
  `${lightWords[light]}${planNow === plan ? '' : ': по плану на сейчас'}`

/** Fulfilment of the plan, coloured and as text. */
export function Light({ figure, withFact }: { figure: Figure; withFact?: boolean }) {
  const { percent, light, fact, unit } = figure
  if (percent === null) return withFact ? <span>{valueText(fact, unit)}</span> : <Muted>—</Muted>
  return (
    <span className={classes.light} data-light={light} title={lightTitle(figure)}>
      {withFact && <span>{valueText(fact, unit)} </span>}
      {formatNumber(percent, 0)} %
    </span>
  )
}

/** A KPI with its plan, coloured. */
export function KpiTile({ figure }: { figure: Figure }) {
  const { name, fact, plan, planNow, unit, light, percent } = figure
  return (
    <div className={classes.tile} data-light={light} title={lightTitle(figure)}>
      <span>{name}</span>
      <b className="tabular">{valueText(fact, unit)}</b>
      <Fine component="span">
        план {planNow !== plan && <>на сейчас {valueText(planNow, unit)} из </>}
        {valueText(plan, unit)}
        {percent !== null && `, ${formatNumber(percent, 0)}\u00a0%`}
      </Fine>
    </div>
  )
}
