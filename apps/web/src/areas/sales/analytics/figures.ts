import type { DealFilter } from './Figure.tsx'

/** A count with the deals behind it. */
export interface Counted {
  count: number
  filter: DealFilter
}
/** The same with rubles. */
export interface Sum extends Counted {
  sum: number
}
interface Group extends Sum {
  name: string | null
  won: Sum
  lost: Sum
  /** 0 to 1. */
  wonShare: number | null
}

/** What `GET /sales-management/funnels/{id}/analytics` answers. */
export interface FunnelFigures {
  dateStart: string
  dateEnd: string
  created: Sum
  open: Sum
  won: Sum
  lost: Sum
  stages: {
    idStage: number
    name: string
    color: string
    idType: number
    entered: Counted
    passed: Counted
    lost: Counted
    conversion: number | null
    medianSeconds: number | null
    meanSeconds: number | null
    now: Sum
  }[]
  lossReasons: (Sum & { idLossReason: number | null; name: string | null })[]
  responsible: (Group & { idUser: number | null })[]
  sources: (Group & { idSource: number | null })[]
  forecast: (Sum & { month: string | null })[]
}

/** What `GET /sales-management/leads/{id}/analytics` answers. */
export interface LeadFigures {
  price: number | null
  offersSum: number
  acceptedSum: number
  seconds: number
  movesCount: number
  stages: {
    idStage: number
    name: string
    color: string
    idType: number
    visits: number
    seconds: number
    isCurrent: boolean
  }[]
  moves: { idStage: number; name: string; dateStart: string; dateEnd: string | null; seconds: number }[]
}

/** '42,5 %' of a share from 0 to 1. */
export const shareText = (share: number | null): string =>
  share === null ? '—' : `${(share * 100).toLocaleString('ru-RU', { maximumFractionDigits: 1 })} %`

/** 'ноябрь 2026' of '2026-11'. */
export function monthText(month: string | null): string {
  if (month === null) return 'Без даты'
  return new Date(`${month}-15T12:00:00Z`).toLocaleDateString('ru-RU', { month: 'long', year: 'numeric' })
}
