import { codeStatuses, MdlpCode, MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { formatDay } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList } from '#records/reads.ts'
import { titleOf } from '#records/title.ts'
import { ScanField } from '../ScanField.tsx'
import { TableScroll } from '../TableScroll.tsx'
import classes from '../Warehouse.module.css'

export function Codes({ mayEdit }: { mayEdit: boolean }) {
  const cache = useQueryClient()
  const list = useEndlessList(MdlpCode, { expand: ['product', 'warehouse'], sort: '-id', limit: 50 })
  return (
    <VStack gap={12}>
      {mayEdit && (
        <ScanField
          label="Вскрыть короб: сканируйте SSCC"
          onCode={async (code) => {
            await api('POST /mdlp/boxes/open', { body: { code } })
            await invalidateRecords(cache, MdlpDocument.path)
            return 'Документ 912 ждёт подписи: «Исходящие»'
          }}
        />
      )}
      {list.isPending ? (
        <LinesSkeleton lines={6} />
      ) : list.items.length === 0 ? (
        <EmptyState title="Кодов пока нет" text="Они появятся с первой приёмкой маркированного товара." />
      ) : (
        <section className={classes.part}>
          <TableScroll label="Коды">
            <table className={`${classes.table} ${classes.stack}`}>
              <thead>
                <tr>
                  <th>SGTIN</th>
                  <th>Товар</th>
                  <th>У нас</th>
                  <th>В МДЛП</th>
                  <th>Где</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((row) => (
                  <tr key={row.id}>
                    <td>
                      <code>{row.sgtin}</code>
                      {row.sscc && (
                        <>
                          <br />
                          <Muted>короб {row.sscc}</Muted>
                        </>
                      )}
                    </td>
                    <td className={classes.name}>
                      {row.product?.nameService ?? <Muted>нет в каталоге</Muted>}
                      <br />
                      <Muted>
                        {row.series && `серия ${row.series}`} {row.expiry && `до ${formatDay(row.expiry)}`}
                      </Muted>
                    </td>
                    <td data-label="У нас">{codeStatuses[row.status]}</td>
                    <td
                      data-label="В МДЛП"
                      style={
                        row.theirStatus && row.theirStatus !== row.status
                          ? { color: 'var(--mantine-color-error)' }
                          : undefined
                      }
                    >
                      {row.theirStatus ? codeStatuses[row.theirStatus] : <Muted>не спрошено</Muted>}
                    </td>
                    <td data-label="Где">{row.warehouse ? titleOf(Warehouse, row.warehouse) : <Muted>—</Muted>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
          <MoreRows list={list} />
        </section>
      )}
    </VStack>
  )
}
