const colors = ['teal', 'blue', 'violet', 'orange', 'pink', 'lime', 'cyan', 'grape'] as const

/** Colour of a section by its index. */
export const sectionColor = (at: number): string => `var(--mantine-color-${colors[Math.max(0, at) % colors.length]}-6)`
