import { Checkbox, Input } from '@mantine/core'
import type { Page } from '@ordinator/model/page'
import { pages } from '@ordinator/model/pages'
import {
  gateOf,
  type Module,
  moduleLabels,
  type Tariff,
  tariffIncludes,
  tariffLabels,
  tariffs,
} from '@ordinator/model/tariff'
import { waitingModules, waitsFor } from '@ordinator/model/waiting'
import { IconCheck, IconLock } from '@tabler/icons-react'
import { HStack, Tiles, VStack } from '#kit/Stacks.tsx'

/** Pages reachable from menu and search, without those linked only from another page. */
const sections = (pages as readonly Page[]).filter((page) => !page.public && !page.linked && !page.path.includes(':'))

const opensBy = (module: Module) =>
  sections
    .filter(({ path }) => gateOf(path)?.module === module)
    .map(({ title }) => title)
    .join(', ')

/** Content of the tiers, and those included in the selected one. */
export function TiersList({ chosen }: { chosen: Tariff }) {
  return (
    <Input.Wrapper label="Что входит в тариф" labelElement="div" mt={12}>
      <VStack component="ul" gap={4} mt={4} aria-label="Что входит в тариф">
        {tariffs.map((tariff) => (
          <Tier key={tariff} tariff={tariff} owned={tariffIncludes(chosen, tariff)} />
        ))}
      </VStack>
    </Input.Wrapper>
  )
}

/** Additional content of a tier, and whether the selected one includes it. */
function Tier({ tariff, owned }: { tariff: Tariff; owned: boolean }) {
  const names = sections.filter(({ path }) => (gateOf(path)?.tariff ?? tariffs[0]) === tariff && !gateOf(path)?.module)
  return (
    <HStack component="li" gap={8} align="flex-start" c={owned ? undefined : 'dimmed'}>
      {owned ? (
        <IconCheck size={18} aria-label="входит" style={{ flexShrink: 0 }} />
      ) : (
        <IconLock size={18} aria-label="не входит" style={{ flexShrink: 0 }} />
      )}
      <span>
        {tariffLabels[tariff]}: {names.map(({ title }) => title).join(', ')}
      </span>
    </HStack>
  )
}

interface ModulesProps {
  id: string
  label: string
  description?: string
  error?: string
  value: string[]
  onChange: (value: string[]) => void
}

export function ModulesField({ id, value, onChange, ...shared }: ModulesProps) {
  return (
    <Checkbox.Group {...shared} value={value} onChange={(chosen) => onChange(inOrder(chosen as Module[]))}>
      <Tiles tile={220} fit gap="8px 16px" mt={8} id={id} tabIndex={-1}>
        {Object.entries(moduleLabels).map(([name, text]) => (
          <Checkbox
            key={name}
            size="sm"
            value={name}
            label={text}
            description={waitsFor(waitingModules[name as Module]) ?? opensBy(name as Module)}
          />
        ))}
      </Tiles>
    </Checkbox.Group>
  )
}

/** In declaration order, so that removing and adding a module is no change. */
const inOrder = (chosen: readonly Module[]): Module[] =>
  (Object.keys(moduleLabels) as Module[]).filter((name) => chosen.includes(name))
