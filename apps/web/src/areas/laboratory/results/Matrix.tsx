import { Badge } from '@mantine/core'
import type { MatrixAnalyte, MatrixRow } from '@ordinator/model/areas/laboratory/calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Fine } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { CallDialog } from '../CriticalAlert.tsx'
import { HistoryDialog } from '../HistoryDialog.tsx'
import { readLaboratory } from '../reads.ts'
import { CorrectDialog } from './CorrectDialog.tsx'
import type { Cell } from './cell.ts'
import { NoResultDialog } from './NoResultDialog.tsx'
import { ReviewsDialog } from './Reviews.tsx'
import classes from './results.module.css'
import { CellMenu, ValueCell } from './ValueCell.tsx'

interface MatrixProps {
  analytes: readonly MatrixAnalyte[]
  rows: readonly MatrixRow[]
  mayEnter: boolean
  mayApprove: boolean
}

type Asked =
  | { what: 'history'; row: MatrixRow; analyte: MatrixAnalyte }
  | { what: 'call' | 'correct' | 'none'; row: MatrixRow; analyte: MatrixAnalyte; cell: Cell }

export function Matrix({ analytes, rows, mayEnter, mayApprove }: MatrixProps) {
  const cache = useQueryClient()
  const frame = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Asked>()
  const [reviewing, setReviewing] = useState(false)
  const act = useMutation({
    mutationFn: async ({ call, ids }: { call: 'technical' | 'medical' | 'back' | 'repeat'; ids: number[] }) => {
      const names = {
        technical: 'POST /laboratory/results/technical',
        medical: 'POST /laboratory/results/medical',
        back: 'POST /laboratory/results/back',
        repeat: 'POST /laboratory/results/repeat',
      } as const
      await api(names[call] as 'POST /laboratory/results/technical', { body: { ids } }, { forbidden: 'toast' })
    },
    onError: notifyFailure,
    onSettled: () => readLaboratory(cache),
  })
  const choose = useMutation({
    mutationFn: (idResult: number) =>
      api('POST /laboratory/results/:id/choose', { params: { id: idResult } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSettled: () => readLaboratory(cache),
  })
  const enter = async (cell: Cell, idAnalyte: number, value: string): Promise<boolean> => {
    try {
      await api(
        'POST /laboratory/results/enter',
        { body: { values: [{ idItem: cell.idItem, idAnalyte, value }] } },
        { forbidden: 'toast' },
      )
      await readLaboratory(cache)
      return true
    } catch (error) {
      notifyFailure(error)
      return false
    }
  }
  /** Moves the focus to the next cell to the right or below, as in a spreadsheet. */
  const go = (from: HTMLElement, right: number, down: number) => {
    const all = [...(frame.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
    const [row = 0, column = 0] = (from.dataset.cell ?? '').split(':').map(Number)
    const wanted = down
      ? (all.find((one) => one.dataset.cell === `${row + down}:${column}`) ??
        all.find((one) => Number(one.dataset.cell?.split(':')[0]) === row + down))
      : all[all.indexOf(from) + right]
    wanted?.focus()
    if (wanted instanceof HTMLInputElement) wanted.select()
  }
  /** Confirms the values of a row that the user may confirm. */
  const confirmRow = (row: MatrixRow) => {
    const all = Object.values(row.cells)
    const ids = (status: string) =>
      all.flatMap((cell) =>
        cell.status === status &&
        cell.idResult !== null &&
        !cell.held &&
        !cell.needsCall &&
        !cell.preliminary &&
        cell.others.length === 0
          ? [cell.idResult]
          : [],
      )
    const raw = ids('raw')
    const technical = ids('technical')
    if (mayEnter && raw.length) act.mutate({ call: 'technical', ids: raw })
    else if (mayApprove && technical.length) act.mutate({ call: 'medical', ids: technical })
  }
  return (
    <>
      <section ref={frame} className={classes.matrix} aria-label="Рабочий список" tabIndex={-1}>
        <table>
          <thead>
            <tr>
              <th scope="col">Пациент</th>
              {analytes.map((analyte) => (
                <th key={analyte.id} scope="col" title={analyte.name}>
                  {analyte.shortName ?? analyte.name}
                  <span className={classes.unit}>{analyte.unit}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.idOrder}>
                <th scope="row">
                  <PageLink page="labOrder" params={{ id: row.idOrder }}>
                    {row.patient}
                  </PageLink>
                  <Fine component="div">
                    {[row.number, row.birthday].filter(Boolean).join(' · ')}
                    {row.urgency === 'cito' && (
                      <Badge ml={6} size="xs" color="orange" variant="light">
                        Cito
                      </Badge>
                    )}
                  </Fine>
                  {row.dueAt && <Fine component="div">к {formatDateTime(row.dueAt)}</Fine>}
                </th>
                {analytes.map((analyte, column) => {
                  const cell = row.cells[String(analyte.id)]
                  if (!cell) return <td key={analyte.id} className={classes.cell} data-none aria-label="не заказано" />
                  return (
                    <ValueCell
                      key={analyte.id}
                      place={`${at}:${column}`}
                      cell={cell}
                      analyte={analyte}
                      patient={row.patient}
                      mayEnter={mayEnter}
                      onEnter={(value) => enter(cell, analyte.id, value)}
                      onGo={go}
                      onConfirm={() => confirmRow(row)}
                      menu={
                        <CellMenu
                          cell={cell}
                          mayEnter={mayEnter}
                          mayApprove={mayApprove}
                          onAct={(call) => cell.idResult !== null && act.mutate({ call, ids: [cell.idResult] })}
                          onChoose={(idResult) => choose.mutate(idResult)}
                          onAsk={(what) => {
                            if (what === 'review') setReviewing(true)
                            else setAsked(what === 'history' ? { what, row, analyte } : { what, row, analyte, cell })
                          }}
                        />
                      }
                    />
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {asked?.what === 'history' && (
        <HistoryDialog
          idCustomer={asked.row.idCustomer}
          idAnalyte={asked.analyte.id}
          onClose={() => setAsked(undefined)}
        />
      )}
      {reviewing && <ReviewsDialog onClose={() => setReviewing(false)} />}
      {asked?.what === 'none' && (
        <NoResultDialog
          cell={asked.cell}
          analyte={asked.analyte}
          onDone={() => readLaboratory(cache)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === 'call' && asked.cell.idCall !== null && (
        <CallDialog
          value={{
            id: asked.cell.idCall,
            analyte: asked.analyte.name,
            value: asked.cell.value ?? '',
            unit: asked.cell.unit,
            patient: asked.row.patient,
            doctor: null,
            phone: null,
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === 'correct' && (
        <CorrectDialog
          cell={asked.cell}
          analyte={asked.analyte}
          onDone={() => readLaboratory(cache)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
