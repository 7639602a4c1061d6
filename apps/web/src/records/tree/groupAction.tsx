import { IconFolder } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import type { BulkAction } from '../table/BulkBar.tsx'
import { BulkPanel } from '../table/BulkPanel.tsx'
import { type Group, pathOf } from './groups.ts'

/** «В группу» among the bulk actions: a list of the groups with their paths. */
export const groupAction = <R, G extends Group>(
  groups: readonly G[],
  nameOf: (group: G) => string,
  move: (rows: R[], idGroup: number | null) => void,
): BulkAction<R> => ({
  key: 'group',
  label: 'В группу',
  render: (rows) => (
    <BulkPanel label="В группу" icon={IconFolder}>
      {(close) => (
        <VStack gap={0}>
          {[undefined, ...groups].map((group) => (
            <ActionButton
              label={group ? pathOf(groups, group, nameOf) : 'Без группы'}
              key={group?.id ?? 'none'}
              variant="subtle"
              color="gray"
              justify="start"
              onClick={() => {
                close()
                move(rows, group?.id ?? null)
              }}
            />
          ))}
        </VStack>
      )}
    </BulkPanel>
  ),
})
