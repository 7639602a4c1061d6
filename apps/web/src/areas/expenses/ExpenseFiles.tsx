import { Expense, ExpenseAttachment, ExpenseFile } from '@ordinator/model/areas/expenses/expense'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Attachments } from '#areas/files/index.ts'
import { records } from '#base/client.ts'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { UploadTarget } from '#records/uploads.ts'

const toExpense = (idExpense: number, cache: QueryClient): UploadTarget => ({
  key: `expense:${idExpense}`,
  stored: ExpenseFile,
  async take({ id: idFile }) {
    await records.create(ExpenseAttachment, { idExpense, idFile })
    await invalidateRecords(cache, ExpenseAttachment.path)
  },
  whereToLook: 'Откройте расход, чтобы повторить.',
})

/** Documents of an expense: bills, acts, waybills. */
export function ExpenseFiles({ idExpense }: { idExpense: number }) {
  const mayEdit = useCan('update', Expense)
  const target = useMemo(() => (cache: QueryClient) => toExpense(idExpense, cache), [idExpense])
  return <Attachments links={ExpenseAttachment} of={{ idExpense }} target={target} mayEdit={mayEdit} to="к расходу" />
}
