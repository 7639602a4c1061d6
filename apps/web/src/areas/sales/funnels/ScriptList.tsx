import { Box, Text } from '@mantine/core'
import { FunnelScript } from '@ordinator/model/areas/sales/funnel'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { IconTrash } from '@tabler/icons-react'
import { IconButton } from '#kit/IconButton.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import classes from './Funnels.module.css'

const MAX = 100

/** Scripts offered in deals of the funnel, ordered. */
export function ScriptList({ idFunnel, mayEdit }: { idFunnel: number; mayEdit: boolean }) {
  const list = useList(
    FunnelScript,
    { filter: { idFunnel }, sort: 'order', limit: MAX, expand: ['script'] },
    { forbidden: 'silent' },
  )
  useRevealDelay(list.isPending)
  const scripts = list.data?.items ?? []
  const move = useMove(FunnelScript)
  const remove = useRemove(FunnelScript, { message: 'Скрипт убран из воронки' })
  const save = useSave(FunnelScript)
  const taken = scripts.map((one) => one.idScript)
  return (
    <Box component="section" mb={24} aria-labelledby="funnel-scripts">
      <HStack gap={12} justify="space-between" mb={8}>
        <h2 id="funnel-scripts">Скрипты разговора</h2>
      </HStack>
      <Fine component="p" mb={8}>
        Открываются рядом со сделкой
      </Fine>
      <Block component="ul" framed aria-label="Скрипты">
        {scripts.map((one) => {
          const name = one.script?.name ?? `№ ${one.idScript}`
          return (
            <OrderedRow
              key={one.id}
              kind={`funnel-scripts-${idFunnel}`}
              row={one}
              rows={scripts}
              name={name}
              mayEdit={mayEdit}
              onPut={(id, place) => move.mutate({ id, ...place })}
            >
              <span className={classes.name}>{name}</span>
              {one.script && !one.script.active && <span className={classes.fact}>не действует</span>}
              {mayEdit && (
                <IconButton
                  icon={IconTrash}
                  size={28}
                  label={`Убрать скрипт «${name}»`}
                  onClick={() => remove.mutate(one.id)}
                />
              )}
            </OrderedRow>
          )
        })}
        {scripts.length === 0 && list.isSuccess && !mayEdit && (
          <Box component="li" p={8}>
            <Text c="dimmed" size="sm">
              Скриптов нет
            </Text>
          </Box>
        )}
        {mayEdit && (
          <Box component="li" p={8}>
            <RefSelect
              to={OldScript.path}
              aria-label="Добавить скрипт"
              placeholder="Добавить скрипт"
              filter={{ active: true, ...(taken.length ? { id: { nin: taken } } : {}) }}
              value={null}
              onChange={(idScript) => idScript !== null && save.mutate({ idFunnel, idScript })}
            />
          </Box>
        )}
      </Block>
    </Box>
  )
}
