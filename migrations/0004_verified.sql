ALTER TABLE `applications` ADD `bot_id` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `init_data_hours` integer DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE `applications` ADD `verified_only` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `contexts` ADD `verified` integer;