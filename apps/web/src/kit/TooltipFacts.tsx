import { Text } from '@mantine/core'
import { VStack } from './Stacks.tsx'
import classes from './TooltipFacts.module.css'

/** A label and what it says; an empty one is left out. */
export type Fact = readonly [label: string, value: string | null | undefined | false]

/** What a tooltip tells of somebody: who it is, and line by line the rest. */
export const TooltipFacts = ({ title, facts }: { title: string; facts: readonly Fact[] }) => (
  <VStack component="span" gap={2} px={2} py={4} className="breaks">
    <Text component="strong" inherit fw={600}>
      {title}
    </Text>
    {facts.map(
      ([label, value]) =>
        value && (
          <span key={label} className={classes.fact}>
            <span className={classes.label}>{label}</span> {value}
          </span>
        ),
    )}
  </VStack>
)
