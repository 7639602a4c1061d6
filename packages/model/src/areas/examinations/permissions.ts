// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const examinationReportPermissions = {
  viewExaminationsReport: 'Отчёт по осмотрам', // proposed
} as const

export const examinationSetUpPermissions = {
  examinationTemplatesSettings: 'Шаблоны осмотров',
  viewForeignExaminationTemplates: 'Чужие шаблоны осмотров',
} as const

export const examinationPermissions = {
  viewExaminations: 'Осмотры: просмотр', // proposed
  editExaminations: 'Осмотры: ведение и подпись своих', // proposed
  foreignExaminationDrafts: 'Чужие черновики осмотров', // proposed
} as const
