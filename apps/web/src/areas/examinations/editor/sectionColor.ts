const colors = ['teal', 'blue', 'violet', 'orange', 'pink', 'lime', 'cyan', 'grape'] as const

/** The colour of a section by its place in the form. */
export const sectionColor = (at: number): string => `var(--mantine-color-${colors[Math.max(0, at) % colors.length]}-6)`
