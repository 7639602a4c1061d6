import { Text } from '@mantine/core'
import { VStack } from './Stacks.tsx'
import classes from './TooltipFacts.module.css'

/** Label and value; an empty one is omitted. */
export type Fact = readonly [label: string, value: string | null | undefined | false]

/** Content of a person's tooltip: the name, and the facts line by line. */
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
