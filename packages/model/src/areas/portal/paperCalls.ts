import { z } from 'zod'
import { call, idText, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'

/** What a patient reads and keeps. */
export const paperKinds = { examination: 'Осмотр', plan: 'План лечения', consent: 'Согласие' } as const
export type PaperKind = keyof typeof paperKinds

export interface PortalPaper {
  kind: PaperKind
  id: number
  name: string
  /** `YYYY-MM-DD`: of the examination, of the offer, of the signing. */
  day: string
  /** Whose it is of the clinic; null: nobody's. */
  doctor: string | null
  /** What it is: of a plan and a consent their state, else the kind. */
  note: string
}

/** Of somebody else of the family; absent: one's own. */
const whose = z.object({ patient: idText.optional() })

export const paperCalls = {
  papers: call({
    access: 'public',
    method: 'GET',
    path: '/portal/papers',
    summary: 'Подписанные осмотры, открытые пациентам, предложенные планы лечения и подписанные согласия пациента',
    query: whose,
    answer: shapeOf<{ items: PortalPaper[] }>(),
  }),
  paper: call({
    access: 'public',
    method: 'GET',
    path: '/portal/papers/:kind/:id',
    summary: 'Документ пациента (PDF)',
    limit: 60,
    params: z.object({
      kind: z.enum(Object.keys(paperKinds) as [PaperKind, ...PaperKind[]], messages.choice),
      id: idText,
    }),
    query: whose,
    file: 'application/pdf',
  }),
}
