import { Box, Menu, Select, TextInput } from '@mantine/core'
import { Stage, stageTypes } from '@ordinator/model/areas/sales/funnel'
import { counted } from '@ordinator/model/format'
import { palette } from '@ordinator/model/palette'
import { IconAdjustments, IconArchive, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { ColorRow } from '#kit/ColorRow.tsx'
import { colorName } from '#kit/color.ts'
import { EditableText } from '#kit/EditableText.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { Popover } from '#kit/Popover.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { useMove, useSave } from '#records/writes.ts'
import type { StageRow } from '../board/deals.ts'
import { useStages } from '../board/useFunnelData.ts'
import { ArchiveStage } from './ArchiveStage.tsx'
import classes from './Funnels.module.css'
import { StageRules } from './StageRules.tsx'

const MAX_NAME = 64
const types = Object.entries(stageTypes).map(([value, label]) => ({ value, label }))

/** Stages of a funnel: name, colour, type, order and rules. */
export function StageList({ idFunnel, mayEdit }: { idFunnel: number; mayEdit: boolean }) {
  const list = useStages(idFunnel)
  useRevealDelay(list.isPending)
  const { stages } = list
  const move = useMove(Stage)
  const save = useSave(Stage)
  const [rules, setRules] = useState<number>()
  const [archiving, setArchiving] = useState<StageRow>()
  const shown = stages.find(({ id }) => id === rules)
  return (
    <Box component="section" mb={24} aria-labelledby="funnel-stages">
      <HStack gap={12} justify="space-between" mb={8}>
        <h2 id="funnel-stages">Этапы</h2>
      </HStack>
      {list.isPending ? (
        <LinesSkeleton lines={5} />
      ) : list.isError && stages.length === 0 ? (
        <ErrorState title="Этапы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Block component="ul" framed aria-label="Этапы">
          {stages.map((stage) => (
            <OrderedRow
              key={stage.id}
              kind={`stages-${idFunnel}`}
              row={stage}
              rows={stages}
              name={stage.name}
              mayEdit={mayEdit}
              onPut={(id, place) => move.mutate({ id, ...place })}
              menu={
                <>
                  <MenuItem label="Правила этапа" icon={IconAdjustments} onClick={() => setRules(stage.id)} />
                  <Menu.Divider />
                  <MenuItem label="Убрать этап…" icon={IconArchive} danger onClick={() => setArchiving(stage)} />
                </>
              }
            >
              <StageColor stage={stage} mayEdit={mayEdit} onChange={(color) => save.mutate({ id: stage.id, color })} />
              <span className={classes.name}>
                <EditableText
                  value={stage.name}
                  label="Название этапа"
                  maxLength={MAX_NAME}
                  disabled={!mayEdit}
                  onSave={(name) => save.mutate({ id: stage.id, name })}
                />
              </span>
              {mayEdit ? (
                <Select
                  className={classes.type}
                  size="xs"
                  aria-label={`Тип этапа «${stage.name}»`}
                  data={types}
                  value={String(stage.idType)}
                  onChange={(type) => type && save.mutate({ id: stage.id, idType: Number(type) })}
                />
              ) : (
                <span className={classes.type}>{stageTypes[stage.idType as keyof typeof stageTypes]}</span>
              )}
              <ActionButton
                label={rulesText(stage)}
                className={classes.rules}
                data-alone={!mayEdit || undefined}
                fw={400}
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={`${rulesText(stage)}. Правила этапа «${stage.name}»`}
                onClick={() => setRules(stage.id)}
              />
            </OrderedRow>
          ))}
          {mayEdit && <NewStage idFunnel={idFunnel} count={stages.length} />}
        </Block>
      )}
      {shown && <StageRules stage={shown} stages={stages} mayEdit={mayEdit} onClose={() => setRules(undefined)} />}
      {archiving && <ArchiveStage stage={archiving} stages={stages} onClose={() => setArchiving(undefined)} />}
    </Box>
  )
}

function rulesText({ daysLimit, requiredFields, nextStages }: StageRow): string {
  const parts = [
    daysLimit && `до ${counted(daysLimit, ['дня', 'дней', 'дней'])}`,
    requiredFields?.length && counted(requiredFields.length, ['поле', 'поля', 'полей']),
    nextStages?.length && counted(nextStages.length, ['переход', 'перехода', 'переходов']),
  ]
  return parts.filter(Boolean).join(' · ') || 'Без правил'
}

interface ColorProps {
  stage: StageRow
  mayEdit: boolean
  onChange: (color: string) => void
}

function StageColor({ stage, mayEdit, onChange }: ColorProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={284}>
      <Popover.Target>
        <button
          type="button"
          className={classes.color}
          style={{ background: stage.color }}
          disabled={!mayEdit}
          aria-label={`Цвет этапа «${stage.name}»: ${colorName(stage.color)}`}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Цвет">
        <ColorRow
          value={stage.color}
          onChange={(color) => {
            onChange(color)
            setOpened(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function NewStage({ idFunnel, count }: { idFunnel: number; count: number }) {
  const [name, setName] = useState('')
  const save = useSave(Stage)
  const color = palette[count % palette.length]?.value
  return (
    <Box component="li" p={8}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const wanted = name.trim()
          if (!wanted || save.isPending) return
          save.mutate({ name: wanted, idFunnel, ...(color && { color }) }, { onSuccess: () => setName('') })
        }}
      >
        <TextInput
          aria-label="Название нового этапа"
          placeholder="Новый этап"
          maxLength={MAX_NAME}
          leftSection={<IconPlus size={16} />}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          rightSectionWidth={92}
          rightSection={
            name.trim() && <ActionButton label="Добавить" type="submit" size="compact-sm" loading={save.isPending} />
          }
        />
      </form>
    </Box>
  )
}
