/** The warehouse with its branch: names of warehouses repeat. */
export const placeOf = (
  place: { name: string; filial?: { shortFilialName: string | null; nameFilial: string } | null } | null | undefined,
): string | undefined =>
  place ? [place.name, place.filial?.shortFilialName || place.filial?.nameFilial].filter(Boolean).join(', ') : undefined
