/**
 * 323-ФЗ art. 74 part 1, 38-ФЗ art. 24, УК РФ art. 204: a fee to a doctor employed elsewhere is a risk of commercial
 * bribery, so that only organizations and the self-employed under a contract are referrers.
 */
export const referrerWarning =
  'Платить за пациентов можно только организации, ИП или самозанятому по договору об информационных услугах. Вознаграждение врачу или медсестре другой клиники за направление запрещено (323-ФЗ, ст. 74) и может считаться коммерческим подкупом (УК РФ, ст. 204). Договор и рекламу согласуйте с юристом (38-ФЗ, ст. 24). Пациенту направление не меняет цену'
