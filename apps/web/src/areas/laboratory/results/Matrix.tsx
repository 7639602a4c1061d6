import { Badge } from '@mantine/core'
import type { MatrixAnalyte, MatrixRow } from '@ordinator/model/areas/laboratory/calls'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Fine } from '#kit/Words.tsx'
import { CallDialog } from '../CriticalAlert.tsx'
import { HistoryDialog } from '../HistoryDialog.tsx'
import { readLaboratory } from '../reads.ts'
import { CorrectDialog } from './CorrectDialog.tsx'
import type { Cell } from './cell.ts'
import { NoResultDialog } from './NoResultDialog.tsx'
import { ReviewsDialog } from './Reviews.tsx'
import classes from './results.module.css'
import { useMatrixCalls } from './useMatrixCalls.ts'
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
  const frame = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Asked>()
  const [reviewing, setReviewing] = useState(false)
  const { act, choose, enter } = useMatrixCalls()
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
    const ids = (status: string) => idsToConfirm(all, status)
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
                <RowHead row={row} />
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
      {reviewing && <ReviewsDialog onClose={() => setReviewing(false)} />}
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

/** Results of a status that can be confirmed without a look at each. */
const idsToConfirm = (cells: readonly Cell[], status: string): number[] =>
  cells.flatMap((cell) =>
    cell.status === status &&
    cell.idResult !== null &&
    !cell.held &&
    !cell.needsCall &&
    !cell.preliminary &&
    cell.others.length === 0
      ? [cell.idResult]
      : [],
  )

const RowHead = ({ row }: { row: MatrixRow }) => (
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
)

function AskedDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const cache = useQueryClient()
  const { row, analyte } = asked
  if (asked.what === 'history')
    return <HistoryDialog idCustomer={row.idCustomer} idAnalyte={analyte.id} onClose={onClose} />
  const { cell } = asked
  const onDone = () => readLaboratory(cache)
  if (asked.what === 'none') return <NoResultDialog {...{ cell, analyte, onDone, onClose }} />
  if (asked.what === 'correct') return <CorrectDialog {...{ cell, analyte, onDone, onClose }} />
  return (
    cell.idCall !== null && (
      <CallDialog
        value={{
          id: cell.idCall,
          analyte: analyte.name,
          value: cell.value ?? '',
          unit: cell.unit,
          patient: row.patient,
          doctor: null,
          phone: null,
        }}
        onClose={onClose}
      />
    )
  )
}
