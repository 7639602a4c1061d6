-- The kept sight asks for all cards of a task, the deleted ones too, which the index of the living ones cannot tell: each
-- write of a card or a person went through all cards of the clinic.
create index "tasks_management_assigned_all_idTask_idx" on "tasks_management_assigned" ("idTask");
