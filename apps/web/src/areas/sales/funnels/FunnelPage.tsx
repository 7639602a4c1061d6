import { Box, Button, Switch } from '@mantine/core'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import { IconArrowLeft, IconFilterOff, IconLayoutKanban } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useGo } from '#base/address.ts'
import { ApiError } from '#base/apiError.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EditableText } from '#kit/EditableText.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { useRecord } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import { useMaySetUp } from '../board/useFunnelData.ts'
import { ScriptList } from './ScriptList.tsx'
import { StageList } from './StageList.tsx'

const MAX_NAME = 128

const switches = [
  [
    'canCompleteDealsWithoutOffers',
    'Завершать сделки без предложений',
    'Выключено: на успешный этап проходит только сделка, у которой есть предложение',
  ],
  [
    'canCompleteDealsInWorkOfferStatus',
    'Завершать сделки с предложениями в работе',
    'Выключено: сначала по каждой услуге предложения принимают решение',
  ],
] as const

/** Воронка: stages with rules, completion rules, scripts. Each change is saved at once. */
export default function FunnelPage() {
  const idFunnel = Number((useParams({ strict: false }) as { id?: string }).id)
  const isId = Number.isSafeInteger(idFunnel) && idFunnel > 0
  const go = useGo()
  const mayEdit = useMaySetUp()
  const funnel = useRecord(Funnel, isId ? idFunnel : undefined)
  const save = useSave(Funnel)
  useRecordTitle(funnel.data?.name)
  const toList = () => void go({ page: 'funnels' })
  if (!isId || (funnel.isError && funnel.error instanceof ApiError && funnel.error.status === 404))
    return (
      <StatePage
        icon={IconFilterOff}
        title="Воронка не найдена"
        text="Возможно, её удалили."
        actions={<Button onClick={toList}>Все воронки</Button>}
      />
    )
  if (funnel.isError)
    return <ErrorState title="Воронка не загрузилась" error={funnel.error} onRetry={() => void funnel.refetch()} />
  const row = funnel.data
  return (
    <RevealTogether busy={row === undefined}>
      <PageHead
        start={<IconButton icon={IconArrowLeft} label="Все воронки" onClick={toList} />}
        title={
          row ? (
            <EditableText
              value={row.name}
              label="Название воронки"
              maxLength={MAX_NAME}
              disabled={!mayEdit}
              onSave={(name) => save.mutate({ id: row.id, name })}
            />
          ) : (
            'Воронка'
          )
        }
        help={mayEdit ? 'Изменения сохраняются сразу' : undefined}
        actions={
          <ActionButton
            label="Сделки"
            variant="default"
            icon={IconLayoutKanban}
            onClick={() => void go({ page: 'deals', search: { funnel: idFunnel } })}
          />
        }
      />
      <Box px="var(--ord-page)" pb="var(--ord-page)" maw={1080}>
        <Revealed fallback={<LinesSkeleton lines={8} />}>
          {row && (
            <>
              <StageList idFunnel={row.id} mayEdit={mayEdit} />
              <Box component="section" mb={24} aria-labelledby="funnel-completion">
                <HStack gap={12} justify="space-between" mb={8}>
                  <h2 id="funnel-completion">Завершение сделок</h2>
                </HStack>
                <VStack gap={12} framed p={12}>
                  {switches.map(([name, label, description]) => (
                    <Switch
                      key={name}
                      label={label}
                      description={description}
                      disabled={!mayEdit}
                      checked={row[name]}
                      onChange={(event) => save.mutate({ id: row.id, [name]: event.currentTarget.checked })}
                    />
                  ))}
                </VStack>
              </Box>
              <ScriptList idFunnel={row.id} mayEdit={mayEdit} />
            </>
          )}
        </Revealed>
      </Box>
    </RevealTogether>
  )
}
