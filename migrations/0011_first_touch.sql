ALTER TABLE `applications` ADD `sources` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `first_time` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `first_key` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `first_context_id` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `start_time` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `start_key` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `start_context_id` integer;--> statement-breakpoint
CREATE INDEX `users_by_first_context` ON `users` (`application_id`,`first_context_id`) WHERE "users"."first_context_id" is not null;--> statement-breakpoint
CREATE INDEX `users_by_start_context` ON `users` (`application_id`,`start_context_id`) WHERE "users"."start_context_id" is not null;