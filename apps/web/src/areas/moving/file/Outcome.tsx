import type { Move } from '@ordinator/model/areas/moving/move'
import type { Row } from '@ordinator/model/entity'
import { counted, formatNumber } from '@ordinator/model/format'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import sharedClasses from '../Moving.module.css'
import { type Fate, type FileRow, type Reason, saveLeft, useAct, useFileRows } from '../movingCalls.ts'
import { Holds, useRevert } from '../useRevert.tsx'
import { FileRows } from './FileRows.tsx'
import classes from './file.module.css'
import { type LoadedFile, rowForms } from './loadedFile.ts'
import { Sums } from './Sums.tsx'

const figures = (file: LoadedFile): { fate: Fate; label: string; count: number; tone?: 'bad' | 'doubt' }[] => [
  { fate: 'new', label: file.state === 'done' ? 'Загружено новых' : 'Новых', count: file.created },
  { fate: 'changed', label: 'Изменённых там', count: file.updated },
  { fate: 'same', label: 'Без изменений', count: file.same },
  { fate: 'both', label: 'Изменены с обеих сторон', count: file.both, tone: 'doubt' },
  { fate: 'twin', label: 'Похожи на карты, которые есть', count: file.twin, tone: 'doubt' },
  { fate: 'doubt', label: 'С замечаниями', count: file.doubted, tone: 'doubt' },
  { fate: 'wrong', label: 'Останутся', count: file.wrong, tone: 'bad' },
]

/** Findings of the rehearsal, or the loaded rows. */
export function Outcome({ move, file }: { move: Row<typeof Move>; file: LoadedFile }) {
  const [fate, setFate] = useState<Fate>()
  const [reason, setReason] = useState<Reason>()
  const query = useFileRows(file as FileRow, { ...(fate && { fate }), ...(reason && { reason }) })
  const [first] = query.data?.pages ?? []
  const isDone = file.state === 'done'
  const run = useAct(() => api('POST /moving/files/:id/run', { params: { id: file.id } }))
  const again = useAct(() => api('POST /moving/files/:id/rehearse', { params: { id: file.id } }))
  const back = useAct(() =>
    api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping: file.mapping ?? {} } }),
  )
  const { revert, holds } = useRevert(() => api('POST /moving/files/:id/revert', { params: { id: file.id } }))
  const shown = figures(file).filter(({ count }) => count > 0)
  const goes = file.created + file.updated
  const askRevert = async () => {
    const sure = await confirm({
      title: 'Отменить загрузку файла',
      message:
        'Созданное уйдёт в корзину, изменённое получит прежние значения. Возможно, пока с загруженным никто не работал.',
      confirm: 'Отменить загрузку',
      cancel: 'Оставить',
      danger: true,
    })
    if (sure) revert.mutate(undefined)
  }
  return (
    <VStack gap={20}>
      <ul className={classes.figures} aria-label="Строки файла">
        {shown.map(({ fate: one, label, count, tone }) => (
          <li key={one}>
            <button
              type="button"
              className={classes.tile}
              data-tone={tone}
              aria-pressed={fate === one}
              onClick={() => {
                setReason(undefined)
                setFate(fate === one ? undefined : one)
              }}
            >
              <span className={classes.count}>{formatNumber(count)}</span>
              <span>{label}</span>
            </button>
          </li>
        ))}
      </ul>
      {first && <Sums sums={first.sums} />}
      {first && (
        <Reasons
          reasons={first.reasons}
          chosen={reason}
          onChoose={(one) => {
            setFate(undefined)
            setReason(one)
          }}
        />
      )}
      {first ? (
        <FileRows columns={first.columns} rows={query.data?.pages.flatMap(({ rows }) => rows) ?? []} />
      ) : (
        <LinesSkeleton lines={6} />
      )}
      {query.hasNextPage && (
        <HStack>
          <ActionButton
            label="Ещё строки"
            variant="subtle"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          />
        </HStack>
      )}
      <Holds holds={holds} />
      <HStack justify="flex-end" gap={8} wrap>
        {file.wrong > 0 && (
          <ActionButton
            label="Строки, которые останутся"
            icon={IconDownload}
            variant="subtle"
            onClick={() => void saveLeft(move.id, 'wrong', file.id).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
        {file.both > 0 && (
          <ActionButton
            label="Изменённые с обеих сторон"
            icon={IconDownload}
            variant="subtle"
            onClick={() => void saveLeft(move.id, 'both', file.id).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
        {isDone ? (
          <ActionButton
            label="Отменить загрузку…"
            reverse
            variant="default"
            loading={revert.isPending}
            onClick={() => void askRevert()}
          />
        ) : (
          <>
            <ActionButton
              label="К колонкам"
              variant="default"
              loading={back.isPending}
              onClick={() => back.mutate(undefined)}
            />
            <ActionButton
              label="Проверить заново"
              variant="default"
              loading={again.isPending}
              onClick={() => again.mutate(undefined)}
            />
            <ActionButton
              label={goes > 0 ? `Загрузить: ${counted(goes, rowForms)}` : 'Загружать нечего'}
              disabled={goes === 0}
              loading={run.isPending}
              onClick={() => run.mutate(undefined)}
            />
          </>
        )}
      </HStack>
    </VStack>
  )
}

/** Kinds of notes shown before the rest is asked for. */
const FEW = 12

interface ReasonsProps {
  reasons: readonly Reason[]
  chosen: Reason | undefined
  onChoose(reason: Reason | undefined): void
}

/** Notes by kind with their count; a kind that is pressed shows its rows. */
function Reasons({ reasons, chosen, onChoose }: ReasonsProps) {
  const [isWhole, setWhole] = useState(false)
  if (reasons.length === 0) return null
  const isChosen = ({ field, kind }: Reason) => chosen?.field === field && chosen.kind === kind
  return (
    <section aria-label="Замечания по строкам">
      <h3 className={sharedClasses.title}>Почему</h3>
      <ul className={classes.reasons}>
        {(isWhole ? reasons : reasons.slice(0, FEW)).map((one) => (
          <li key={`${one.field} ${one.kind}`}>
            <button
              type="button"
              className={classes.reason}
              aria-pressed={isChosen(one)}
              onClick={() => onChoose(isChosen(one) ? undefined : one)}
            >
              <span className={one.isError ? sharedClasses.left : undefined}>
                {one.field && !one.message.startsWith(one.field) ? `${one.field}: ${one.message}` : one.message}
              </span>
              <Fine>{counted(one.rows, rowForms)}</Fine>
            </button>
          </li>
        ))}
      </ul>
      {reasons.length > FEW && !isWhole && (
        <ActionButton label={`Ещё ${reasons.length - FEW}`} variant="subtle" onClick={() => setWhole(true)} />
      )}
    </section>
  )
}
